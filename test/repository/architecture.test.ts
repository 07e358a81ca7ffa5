/** The import graph: its direction, no cycles, and worker code that would run without Node. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { dependencies } from '../../package.json' with { type: 'json' };
import { SOURCES } from '../../web/build/freshness.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Folders and files right below src, from what everything may rely on to the entry of the Worker;
 * each may import itself and earlier ones.
 */
const LAYERS = [
  'hash.ts',
  'hours',
  'problem.ts',
  'sealed-json.ts',
  'cache',
  'model',
  'snapshot',
  'storage',
  'load',
  'auth',
  'shown-text.ts',
  'parameters',
  'query',
  'render',
  'http',
  'app.ts',
  'worker.ts',
];

/** Folders and files right below scripts; each may import itself and earlier ones. */
const SCRIPT_LAYERS = [
  'cli',
  'compile',
  'source',
  'source-format',
  'storage',
  'build',
  'release',
  'diff',
  'guards',
  'token',
  'start',
  'client',
  'view',
  'commands',
  'deploy',
  'client.ts',
  'deploy.ts',
  'snapshot.ts',
  'start.ts',
  'token.ts',
  'web.ts',
];

/** Folders of the project's own code. */
const OWN_CODE = /^(?:bench|client|fixtures|scripts|src|test|web)\//;

/** Every import of every TypeScript file below `folder`, paths relative to the repository. */
function importsBelow(folder: string): { from: string; to: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const from = join(folder, name);
      const source = readFileSync(join(ROOT, from), 'utf8');
      const specifiers = source.matchAll(
        /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms,
      );
      return [...specifiers].map((match) => {
        const specifier = (match[1] ?? match[2] ?? match[3]) as string;
        const to = specifier.startsWith('.') ? normalize(join(from, '..', specifier)) : specifier;
        return { from, to };
      });
    });
}

const workerImports = importsBelow('src');
const scriptImports = importsBelow('scripts');
const benchImports = importsBelow('bench');
const fixtureImports = importsBelow('fixtures');
const clientImports = importsBelow('client');
const webImports = importsBelow('web');

/** What code of the Worker may name besides files of src. */
const WORKER_PACKAGES = [...Object.keys(dependencies), 'cloudflare:workers'];

/** Folders and TypeScript files right below a folder. */
const entriesOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'))
    .map(({ name }) => name);

describe('imports', () => {
  it('are found at all', () => {
    expect(workerImports.length).toBeGreaterThan(100);
    expect(scriptImports.length).toBeGreaterThan(30);
  });

  it('of worker code name neither Node nor anything outside of src', () => {
    const foreign = workerImports.filter(
      ({ to }) =>
        !to.startsWith('src/') &&
        !WORKER_PACKAGES.some((name) => to === name || to.startsWith(`${name}/`)),
    );
    expect(foreign).toEqual([]);
  });

  it('of scripts do not name tests nor the benchmark', () => {
    expect(scriptImports.filter(({ to }) => /^(test|bench)\//.test(to))).toEqual([]);
  });

  it('of the generator of fixtures name the model, the source store and the tools of a command alone', () => {
    expect(fixtureImports.length).toBeGreaterThan(30);
    const others = fixtureImports.filter(
      ({ to }) => OWN_CODE.test(to) && !/^(fixtures|src\/model|scripts\/(cli|compile))\//.test(to),
    );
    expect(others).toEqual([]);
  });

  it('of pages name the Worker and the client alone', () => {
    expect(webImports.length).toBeGreaterThan(20);
    // A change of anything else would leave old pages where they are.
    const known = [...SOURCES, 'node_modules'];
    const others = webImports.filter(
      ({ to }) => /^\w+\//.test(to) && !known.some((folder) => to.startsWith(`${folder}/`)),
    );
    expect(others).toEqual([]);
  });

  it('of what runs in a browser name neither Node nor what builds pages, and of the Worker distances and types', () => {
    const isBrowser = (path: string) => /^web\/(?:[^/]+\/)?browser\//.test(path);
    const ofBrowser = webImports.filter(({ from }) => isBrowser(from));
    const foreign = ofBrowser.filter(
      ({ to }) => to.startsWith('node:') || (to.startsWith('web/') && !isBrowser(to)),
    );
    expect(foreign).toEqual([]);
    const ofWorker = ofBrowser.filter(({ to }) => to.startsWith('src/'));
    for (const { from, to } of ofWorker) {
      if (to === 'src/query/great-circle.ts') continue;
      expect(to).toMatch(/^src\/model\//);
      const source = readFileSync(join(ROOT, from), 'utf8');
      expect(source, from).not.toMatch(/^import (?!type )[^;]*?from '[./]*\/src\/model\//m);
    }
  });

  it('of commands name of the pages what builds them, where they lie, and the example of a store', () => {
    const others = scriptImports.filter(
      ({ to }) =>
        to.startsWith('web/') &&
        !/^web\/(build\/(build-pages|bundled-packages|ensure-pages|process-mark|site-folder)|openapi\/example-store)\.ts$/.test(
          to,
        ),
    );
    expect(others).toEqual([]);
  });

  it('of the client stay within it, but for opening hours, and types of the model and of problems', () => {
    expect(clientImports.length).toBeGreaterThan(3);
    // The programs of its tests import it as partners do.
    const code = clientImports.filter(({ from }) => from.startsWith('client/src/'));
    const others = code.filter(({ to }) => !to.startsWith('client/src/'));
    expect(others.filter(({ to }) => !/^src\/(hours\/|model\/|problem\.ts)/.test(to))).toEqual([]);
    const files = new Set(
      others.filter(({ to }) => !/^src\/hours\//.test(to)).map(({ from }) => from),
    );
    for (const file of files) {
      const source = readFileSync(join(ROOT, file), 'utf8');
      expect(source, file).not.toMatch(/^(import|export) (?!type )[^;]*?from '[./]*\/src\//m);
    }
  });

  it('of the benchmark do not name tests', () => {
    expect(benchImports.length).toBeGreaterThan(50);
    expect(benchImports.filter(({ to }) => to.startsWith('test/'))).toEqual([]);
  });

  it.each([
    ['src', LAYERS, workerImports],
    ['scripts', SCRIPT_LAYERS, scriptImports],
  ] as const)('of %s follow its layers, which name every folder', (top, layers, imports) => {
    expect(entriesOf(top).sort()).toEqual([...layers].sort());
    const layerOf = (path: string) => layers.indexOf(path.split('/')[1] ?? '');
    const against = imports.filter(
      ({ from, to }) => to.startsWith(`${top}/`) && layerOf(to) > layerOf(from),
    );
    expect(against).toEqual([]);
  });

  it('of the compiler name no part of Node: tests compile within workerd', () => {
    const ofCompiler = scriptImports.filter(({ from }) => from.startsWith('scripts/compile/'));
    expect(ofCompiler.length).toBeGreaterThan(20);
    expect(
      ofCompiler.filter(({ to }) => to !== 'zod' && !/^(src|scripts\/compile)\//.test(to)),
    ).toEqual([]);
  });

  it.each([
    ['scripts', scriptImports],
    ['bench', benchImports],
    ['web', webImports],
    ['client/src', clientImports],
  ] as const)('of %s form no circle of folders', (top, imports) => {
    // The folder right below, or the file itself where it lies there.
    const depth = top.split('/').length + 1;
    const room = (path: string) => path.split('/').slice(0, depth).join('/');
    const folders = imports
      .filter(({ from, to }) => from.startsWith(`${top}/`) && to.startsWith(`${top}/`))
      .map(({ from, to }) => ({ from: room(from), to: room(to) }))
      .filter(({ from, to }) => from !== to);
    expect(folders.length).toBeGreaterThan(30);
    expect(findCycle(folders)).toEqual([]);
  });

  it('form no cycle, neither of files nor of the folders at the top', () => {
    const all = [
      ...workerImports,
      ...scriptImports,
      ...fixtureImports,
      ...benchImports,
      ...clientImports,
      ...webImports,
    ];
    expect(findCycle(all)).toEqual([]);
    const top = (path: string) => path.split('/', 1)[0] as string;
    const folders = all
      .filter(({ to }) => OWN_CODE.test(to))
      .map(({ from, to }) => ({ from: top(from), to: top(to) }))
      .filter(({ from, to }) => from !== to);
    expect(findCycle(folders)).toEqual([]);
  });
});

describe('the Worker', () => {
  it('bundles for a neutral platform, where nothing of Node resolves', async () => {
    const result = await build({
      entryPoints: [join(ROOT, 'src/worker.ts')],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['workerd', 'worker', 'browser', 'import'],
      external: ['cloudflare:*'],
      logLevel: 'silent',
    });
    expect(result.errors).toEqual([]);
    const inputs = Object.keys(result.metafile.inputs).map((path) =>
      relative(ROOT, join(process.cwd(), path)),
    );
    expect(inputs.filter((path) => path.startsWith('scripts/'))).toEqual([]);
  });
});

/** The files of one import cycle, or nothing. */
function findCycle(imports: readonly { from: string; to: string }[]): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const { to } of targets.get(file) ?? []) {
      const cycle = visit(to, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of targets.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
