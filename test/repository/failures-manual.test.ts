/** docs/failures.md is what the table of failures says. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { failuresPage } from '../load/faults/failures-page.ts';
import { FAULTS, ROWS } from '../load/faults/fault-table.ts';

const PAGE = fileURLToPath(new URL('../../docs/failures.md', import.meta.url));
const WRITE_COMMAND =
  'WRITE_FAILURES=1 npx vitest run --project node test/repository/failures-manual.test.ts';

let written: string;

beforeAll(async () => {
  written = await readFile(PAGE, 'utf8');
  if (!process.env.WRITE_FAILURES) return;
  written = failuresPage(written);
  await writeFile(PAGE, written);
});

describe('the manual of failures', () => {
  it('is up to date', () => {
    expect(written, `docs/failures.md is stale: ${WRITE_COMMAND}`).toBe(failuresPage(written));
  });

  it('explains every event, and no other', () => {
    const logged = ROWS.flatMap(({ fresh, warm }) => [...fresh.logs, ...warm.logs]);
    const explained = [...written.matchAll(/^\| `(\w+)` \|/gm)].map(([, event]) => event);
    expect(explained.toSorted()).toEqual([...new Set(logged)].toSorted());
  });

  it('has every fault', () => {
    const faults = new Set(ROWS.flatMap((row) => row.faults));
    expect([...faults].toSorted()).toEqual(Object.keys(FAULTS).toSorted());
  });
});
