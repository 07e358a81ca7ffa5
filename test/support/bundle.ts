/** Bundles of this tree in which a file is another one. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { build, type Plugin } from 'esbuild';

/** What stands in a file of `src`, by its path there, and what is to stand in its place. */
export interface Edit {
  readonly file: string;
  readonly was: RegExp;
  readonly is: string;
}

function editing({ file, was, is }: Edit): Plugin {
  return {
    name: `another ${file}`,
    setup: ({ onLoad }) => {
      const filter = new RegExp(`/src/${file.replaceAll('.', '\\.')}$`);
      onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (text.match(was)?.length !== 1) throw new Error(`${path}: not one ${was}`);
        return { contents: text.replace(was, is), loader: 'ts' };
      });
    },
  };
}

/** Bundles the module at a path, with a file that is another one, into `outfile` and loads it. */
export async function loadEdited(module: string, edit: Edit, outfile: string): Promise<unknown> {
  await build({
    entryPoints: [module],
    bundle: true,
    outfile,
    format: 'cjs',
    platform: 'node',
    plugins: [editing(edit)],
    logLevel: 'silent',
  });
  return createRequire(import.meta.url)(outfile);
}
