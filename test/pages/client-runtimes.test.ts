/**
 * The installed client against `npm start`: on every Node of this machine, in a Worker and in a browser
 * on the service's own origin, with one outcome.
 */
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { FIRST_STATE } from '../../web/explore/browser/model/address.ts';
import { type Call, clientCode, curlLine } from '../../web/explore/browser/model/client-code.ts';
import { storesQuery } from '../../web/explore/browser/model/found.ts';
import type { ExploreState } from '../../web/explore/browser/model/state.ts';
import { serviceAt } from '../../web/explore/browser/service/service.ts';
import type { Outcome } from '../client/programs/scenario.ts';
import { FIXTURE_STORES } from '../support/fixture-stores.ts';
import {
  installClient,
  manualProgram,
  PACKAGE,
  type Partner,
  runProgram,
} from '../support/installed-client.ts';
import type { Service } from '../support/prepared/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeInBrowser, openBrowser } from './support/browser.ts';
import { askForAllStores, openService } from './support/stage.ts';

/** A search of `/explore` with everything that can be chosen. */
const NEAR_PARIS: ExploreState = {
  ...FIRST_STATE,
  place: { latitude: 48.86, longitude: 2.35, radius: 50, name: 'Paris' },
  verticales: ['BIKE', 'ELECTRIC_BIKE', 'SCOOTER', 'CAR'],
  languages: ['fr', 'en'],
  countries: ['France'],
};

interface WithLocations {
  readonly id: string;
  readonly geo: { readonly locations: readonly { readonly slug: string }[] | null };
}

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const OLDEST_NODE = 20;

describe('in every runtime', () => {
  const partnerFolder = temporaryFolder();
  let partner: Partner;
  let stage: Service;
  let expected: Outcome;

  beforeAll(async () => {
    partner = await installClient(partnerFolder);
    await buildProgram('scenario.js', true);
    await writeFile(
      join(partner.folder, 'run.js'),
      "import { useClient } from './scenario.js';\n" +
        'console.log(JSON.stringify(await useClient(process.argv[2], process.argv[3])));\n',
    );
    stage = await openService();
    expected = await runOn(process.execPath);
  });

  /** @param isSplit whether the client stays the package that was installed */
  async function buildProgram(name: string, isSplit: boolean, entry?: string): Promise<string> {
    await cp(
      resolve(PROJECT, 'test/client/programs/scenario.ts'),
      join(partner.folder, 'scenario.ts'),
    );
    const outfile = join(partner.folder, name);
    await build({
      ...(entry === undefined
        ? { entryPoints: [join(partner.folder, 'scenario.ts')] }
        : { stdin: { contents: entry, resolveDir: partner.folder } }),
      ...{ outfile, bundle: true, format: 'esm', target: 'es2022', logLevel: 'error' },
      tsconfigRaw: {},
      external: isSplit ? [PACKAGE] : [],
    });
    return outfile;
  }

  async function runOn(node: string): Promise<Outcome> {
    const args = [join(partner.folder, 'run.js'), stage.origin, stage.token];
    const { stdout } = await runProgram(node, args, { env: {} });
    return JSON.parse(stdout) as Outcome;
  }

  it('gets what the service has', async () => {
    const stores = FIXTURE_STORES.length;
    expect(expected).toMatchObject({
      ...{ total: stores, walked: stores, copied: stores, copiedAgain: 0, changes: 0 },
      codes: ['store_unknown', 'invalid_parameters limit'],
      unchanged: [200, 304],
    });
    expect(expected.nearest).toBeGreaterThan(0);
    expect(expected.hours).toHaveLength(21 * 9);
  });

  it(`runs on Node from ${OLDEST_NODE} on, as far as this machine has it`, async () => {
    const tried = new Map<number, string>();
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const node = join(folder, 'node');
      if (!existsSync(node)) continue;
      const version = (await runProgram(node, ['-p', 'process.versions.node'], { env: {} })).stdout;
      const major = Number.parseInt(version, 10);
      if (major >= OLDEST_NODE && !tried.has(major)) tried.set(major, node);
    }
    const own = Number.parseInt(process.versions.node, 10);
    for (const [major, node] of tried) {
      if (major !== own) expect(await runOn(node), `Node ${major}`).toEqual(expected);
    }
    if (!tried.has(OLDEST_NODE)) console.warn(`NOT TRIED on Node ${OLDEST_NODE}: there is none`);
  });

  it('does what its manual shows', async () => {
    const [{ slug }] = (await askForAllStores<{ slug: string }>(stage, 'fields=slug')) as [
      { slug: string },
    ];
    const program = (await manualProgram(partner))
      .replace('https://stores.example', stage.origin)
      .replace('a-slug-or-id', slug);
    const { code } = await transform(program, { loader: 'ts' });
    const file = join(partner.folder, 'manual.js');
    await writeFile(file, code);
    // The manual's program keeps its copy where it is run.
    const options = { env: { TOKEN: stage.token }, cwd: partner.folder };
    const { stdout } = await runProgram(process.execPath, [file], options);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(expected.total + 2);
    expect(lines.at(-2)).toMatch(/^release 1-[0-9a-f]+: \d+ stores fetched, 0 removed$/);
    expect(lines.at(-1)).toMatch(/^No store has this id or slug\./);
  });

  it('does what /explore shows of a list and of a store, as a shell does', async () => {
    const noMatter = () => {};
    const service = serviceAt(stage.origin, stage.token, noMatter, noMatter);
    const list = (await service.list(storesQuery(NEAR_PARIS, null))).answer;
    const { total, docs } = await runCurlLine(list.url);
    expect(docs.length).toBeGreaterThan(0);
    expect(await runShownCode(list.call)).toBe(`${docs.length} of ${total} stores\n`);
    const stores = await askForAllStores<WithLocations>(stage, 'fields=id,geo.locations.slug');
    const { id, geo } = stores.find((store) => store.geo.locations) as WithLocations;
    const rentalPointSlug = geo.locations?.[0]?.slug;
    const store = (await service.get(id, { lang: 'fr', rentalPointSlug })).answer;
    const got = await runCurlLine(store.url);
    expect(got).toMatchObject({ id, rentalPointSlug });
    expect(await runShownCode(store.call)).toBe(`${got.profile.name}\n`);
  });

  async function runCurlLine(url: string) {
    const { stdout } = await runProgram('bash', ['-c', curlLine(url)], {
      env: { ...process.env, TOKEN: stage.token },
    });
    return JSON.parse(stdout);
  }

  /** What the code prints that `/explore` shows of a request. */
  async function runShownCode(call: Call): Promise<string> {
    const { code } = await transform(clientCode(call), { loader: 'ts' });
    const file = join(partner.folder, 'shown.js');
    await writeFile(file, code);
    return (await runProgram(process.execPath, [file], { env: { TOKEN: stage.token } })).stdout;
  }

  it('runs in a Worker', async () => {
    await buildProgram(
      'worker.js',
      false,
      `import { useClient } from './scenario.ts';
       export default { test: async (_, { origin, token }) => {
         console.log(JSON.stringify(await useClient(origin, token)));
       } };`,
    );
    const config = join(partner.folder, 'workerd.capnp');
    await writeFile(config, workerdConfig(stage));
    const { stdout } = await runProgram(workerdProgram(), ['test', config], { env: {} });
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  describeInBrowser('of a browser', () => {
    it("runs on the service's own origin", async () => {
      const script = await readFile(await buildProgram('browser.js', false));
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        // In the place of a file of the pages, under the same policy as theirs.
        await page.route('**/client.js', (route) =>
          route.fulfill({ body: script.toString(), contentType: 'text/javascript' }),
        );
        await page.goto(`${stage.origin}/explore`);
        // As text: what runs the tests puts another function in the place of import.
        const outcome = await page.evaluate(
          `import('/client.js').then(({ useClient }) => useClient('/', '${stage.token}'))`,
        );
        expect(outcome).toEqual(expected);
      } finally {
        await browser.close();
      }
    });
  });
});

/** A Worker with nothing but the address and the token of the service. */
function workerdConfig({ origin, token }: Service): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "partner", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-08-15",
      bindings = [(name = "origin", text = "${origin}"), (name = "token", text = "${token}")],
    )),
    (name = "internet", network = (allow = ["private"])),
  ],
);
`;
}

function workerdProgram(): string {
  const wrangler = createRequire(createRequire(import.meta.url).resolve('wrangler'));
  return createRequire(wrangler.resolve('miniflare'))('workerd').default;
}
