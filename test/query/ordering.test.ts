/** How names rank where no language is asked for. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('names without a language are ranked alike on a machine of any locale', () => {
  const ranks = new URL('../../scripts/compile/index-parts.ts', import.meta.url);
  const script = `
    const { rankStores } = await import(${JSON.stringify(ranks.href)});
    const stores = ['nz', 'ña'].map((name) => ({ name }));
    const columns = [...rankStores(stores)];
    const [, ranks] = columns.find(([{ name }]) => name === 'rank/name/root');
    console.log(JSON.stringify([...ranks]));
  `;
  // Spanish alone puts ñ after n; the root collation sees an n with an accent.
  const env = { ...process.env, LC_ALL: 'es_ES.UTF-8' };
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env });
  expect(JSON.parse(output.toString())).toEqual([2, 1]);
});
