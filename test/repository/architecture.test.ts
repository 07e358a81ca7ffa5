/** The import graph: its direction, and no cycles. That the Worker bundles without Node, guides.test.ts shows. */
import { readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dependencies } from '../../package.json' with { type: 'json' };
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { SOURCES } from '../../web/build/freshness.ts';
import { sourcesBelow } from './support/sources.ts';

/**
 * Folders and files right below src, from what everything may rely on to the entry of the Worker;
 * each may import itself and earlier ones.
 */
const LAYERS = [
  'hours',
  'cache',
  'model',
  'snapshot',
  'storage',
  'load',
  'auth',
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
  'commands',
  'deploy',
  'client.ts',
  'deploy.ts',
  'snapshot.ts',
  'start.ts',
  'token.ts',
];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

/** Every import of every TypeScript file below `folder`, paths relative to the repository. */
function importsBelow(folder: string): Import[] {
  return sourcesBelow(folder).flatMap(({ path: from, text }) => {
    const specifiers = text.matchAll(
      /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms,
    );
    return [...specifiers].map((match) => {
      const specifier = (match[1] ?? match[2] ?? match[3]) as string;
      const to = specifier.startsWith('.') ? normalize(join(from, '..', specifier)) : specifier;
      return { from, to, isType: /^(import|export) type /.test(match[0]) };
    });
  });
}

const IMPORTS = ['bench', 'client', 'fixtures', 'scripts', 'src', 'web'].flatMap(importsBelow);

const importsOf = (from: RegExp) => IMPORTS.filter((each) => from.test(each.from));

const oneOf = (words: readonly string[]) => words.join('|');

/** What code of the Worker may name besides files of src. */
const WORKER_PACKAGES = oneOf([...Object.keys(dependencies), 'cloudflare:workers']);

/** Neither a file of the project nor a part of Node. */
const PACKAGE = '(?!node:|(?:bench|client|fixtures|scripts|src|test|web)/).';

/** What files of a room may import. A change of other sources would leave old pages where they are. */
const RULES: readonly (readonly [room: string, from: RegExp, to: string])[] = [
  ['the Worker, neither Node nor other rooms', /^src\//, `src/|(?:${WORKER_PACKAGES})(?:/|$)`],
  ['scripts, neither tests nor the benchmark nor pages', /^scripts\//, '(?!test/|bench/|web/)'],
  ['the benchmark, no tests', /^bench\//, '(?!test/)'],
  [
    'the generator of fixtures, the model, the source store and the tools of a command',
    /^fixtures\//,
    `(?:fixtures|src/model|scripts/cli|scripts/compile|scripts/source-format)/|node:|${PACKAGE}`,
  ],
  [
    'pages, what they are built anew for',
    /^web\//,
    `(?:${oneOf(SOURCES)}|node_modules)/|node:|${PACKAGE}`,
  ],
  [
    'browsers, of the Worker the model, and neither Node nor what builds pages',
    /^web\/(?:[^/]+\/)?browser\//,
    `web/(?:[^/]+/)?browser/|client/|src/model/|${PACKAGE}`,
  ],
  [
    'the client, besides itself caches, opening hours and the model',
    /^client\/src\//,
    'client/src/|src/cache/|src/hours/|src/model/',
  ],
  [
    'the compiler, nothing of Node (tests compile within workerd), and the clocks of the client',
    /^scripts\/compile\//,
    'zod$|tzdata$|src/|scripts/compile/|client/src/zone-clock\\.ts$',
  ],
];

/** Folders and TypeScript files right below a folder. */
const entriesOf = (folder: string) =>
  readdirSync(join(PROJECT_FOLDER, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'))
    .map(({ name }) => name);

describe('imports', () => {
  it.each(RULES)('are those that a room may have: %s', (_room, from, to) => {
    const imports = importsOf(from);
    expect(imports.length).toBeGreaterThan(20);
    const allowed = new RegExp(`^(?:${to})`);
    expect(imports.filter((each) => !allowed.test(each.to))).toEqual([]);
  });

  it.each([
    [
      'browsers',
      /^web\/(?:[^/]+\/)?browser\//,
      /^src\/model\/(?!fold-text|count-slips|enumerations)/,
    ],
    ['the client', /^client\/src\//, /^src\/model\//],
  ])('of %s have of the Worker no code that only types need', (_room, from, to) => {
    expect(importsOf(from).filter((each) => to.test(each.to) && !each.isType)).toEqual([]);
  });

  it.each([
    ['src', LAYERS],
    ['scripts', SCRIPT_LAYERS],
  ])('of %s follow its layers, which name every folder', (top, layers) => {
    expect(entriesOf(top).sort()).toEqual([...layers].sort());
    const layerOf = (path: string) => layers.indexOf(path.split('/')[1] ?? '');
    const against = within(top).filter(({ from, to }) => layerOf(to) > layerOf(from));
    expect(against).toEqual([]);
  });

  it.each([['scripts'], ['bench'], ['web'], ['client/src']])(
    'of %s form no circle of folders',
    (top) => {
      // The folder right below, or the file itself where it lies there.
      const folders = ofRooms(within(top), top.split('/').length + 1);
      expect(folders.length).toBeGreaterThan(20);
      expect(findCycle(folders)).toEqual([]);
    },
  );

  it('form no cycle, neither of files nor of the folders at the top', () => {
    expect(findCycle(IMPORTS)).toEqual([]);
    const own = IMPORTS.filter(({ to }) => !new RegExp(`^(?:node:|${PACKAGE})`).test(to));
    expect(findCycle(ofRooms(own, 1))).toEqual([]);
  });
});

/** Imports from a folder into itself. */
const within = (top: string) =>
  IMPORTS.filter(({ from, to }) => [from, to].every((path) => path.startsWith(`${top}/`)));

/** Which rooms import others, by so many folders of their paths. */
function ofRooms(imports: readonly Import[], depth: number) {
  const room = (path: string) => path.split('/').slice(0, depth).join('/');
  return imports
    .map(({ from, to }) => ({ from: room(from), to: room(to) }))
    .filter(({ from, to }) => from !== to);
}

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
