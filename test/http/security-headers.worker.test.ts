/** What every answer tells a browser: of every route, every problem and every file of the pages. */
import { describe, expect, inject, it } from 'vitest';
import { app } from '../../src/app.ts';
import { PROBLEMS, type ProblemCode, ProblemError } from '../../src/model/problem.ts';
import { LIST, openService, openStage } from '../support/worker/harness.ts';

/** Where a directive of a policy may lead: to this origin, or nowhere. */
const OWN_SOURCES = new Set(["'none'", "'self'", 'data:', 'blob:']);

/** What pages of the documentation may do besides. */
const DOCS_SOURCES: Readonly<Record<string, string>> = {
  'script-src': "'wasm-unsafe-eval'",
  'style-src': "'unsafe-inline'",
};

const directivesOf = (policy: string): Map<string, string[]> =>
  new Map(
    policy.split('; ').map((text) => {
      const [name = '', ...sources] = text.split(' ');
      return [name, sources];
    }),
  );

/**
 * What an answer tells otherwise than all answers must. Compared without `expect`: there are a thousand
 * answers, with twenty-five things to compare in each.
 * @param what begins each fault
 */
function faultsOf(what: string, { status, headers }: Response): string[] {
  const faults: string[] = [];
  const hold = (name: string, isKept: boolean, got: unknown = headers.get(name)) => {
    if (!isKept) faults.push(`${what}: ${name}: ${got}`);
  };
  const has = (name: string, value: string) => hold(name, headers.get(name) === value);
  has('x-content-type-options', 'nosniff');
  has('referrer-policy', 'no-referrer');
  const cors = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  hold('cors', cors.length === 0, cors);
  hold('x-request-id', /^[\w.:-]{1,128}$/.test(headers.get('x-request-id') ?? ''));
  if (status >= 400) {
    has('cache-control', 'no-store');
    has('content-type', 'application/problem+json');
    hold('etag', !headers.has('etag'));
  }
  const isPage = status === 200 && headers.get('content-type')?.startsWith('text/html');
  if (isPage) {
    has('x-frame-options', 'DENY');
    has('cross-origin-opener-policy', 'same-origin');
  }
  const directives = directivesOf(headers.get('content-security-policy') ?? '');
  for (const name of ['default-src', 'frame-ancestors', ...(isPage ? ['base-uri'] : [])]) {
    const sources = directives.get(name)?.join(' ');
    hold(name, sources === "'none'", sources);
  }
  for (const [name, sources] of directives) {
    const others = sources.filter((source) => !OWN_SOURCES.has(source)).join(' ');
    // Code is coloured word by word, and the search is WebAssembly. No script comes from anywhere but a
    // file of our own.
    const isDocs = what.includes(' /docs');
    // Logos of stores lie anywhere.
    const isLogo = what.includes(' /explore') && name === 'img-src';
    const allowed = isDocs ? DOCS_SOURCES[name] : isLogo ? 'https:' : undefined;
    hold(name, others === '' || others === allowed, sources);
    const mayHaveMore = allowed !== undefined || name === 'img-src';
    hold(name, mayHaveMore || ["'none'", "'self'"].includes(sources.join()), sources);
  }
  return faults;
}

/** What a browser sends for a page of another origin. */
const ELSEWHERE = {
  origin: 'https://elsewhere.example',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'x-access-token',
};

/** A path of each route, where there is something. */
const PATHS: Readonly<Record<string, string>> = {
  '/v2/external/stores/:id': '/v2/external/stores/store-1',
  '/v2/external/changes': '/v2/external/changes?since=RELEASE',
  '/docs/*': '/docs/guides/versions',
  '/files/:file': siteFile('files/'),
  '/docs/files/:file': siteFile('docs/files/'),
};

function siteFile(prefix: string): string {
  return inject('siteFiles').find((file) => file.startsWith(prefix)) ?? '';
}

const LEADING_ON = [
  '/',
  '/explore/',
  '/docs/guides',
  '/docs/guides/near-a-place',
  '/docs/operations',
];

describe('every answer', () => {
  it('of every route is closed, to pages of other origins, too, whatever its method and status', async () => {
    const service = await openService();
    const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
      service.ask(path, { method, headers: { ...ELSEWHERE, ...headers } });
    const release = (await ask(LIST)).headers.get('x-snapshot-release') ?? '';
    const handled = app.routes.filter(({ method }) => method === 'GET');
    const routes = new Set(handled.map(({ path }) => path));
    expect(routes.size).toBe(16);
    for (const route of routes) {
      const path = `/${(PATHS[route] ?? route).replace(/^\//, '')}`.replace('RELEASE', release);
      const found = await ask(path);
      expect([path, found.status]).toEqual([path, LEADING_ON.includes(route) ? 302 : 200]);
      const tag = found.headers.get('etag');
      const answers = {
        found,
        head: await ask(path, 'HEAD'),
        refused: await service.stage.request(path),
        posted: await ask(path, 'POST'),
        preflight: await ask(path, 'OPTIONS'),
        slashed: await ask(`${path.split('?')[0]}/nowhere/`),
        ...(tag && { same: await ask(path, 'GET', { 'if-none-match': tag }) }),
      };
      for (const { status, headers } of [answers.posted, answers.preflight]) {
        expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      }
      if (answers.same) {
        const { status, headers } = answers.same;
        const kept = found.headers.get('cache-control');
        expect([path, status, headers.get('cache-control')]).toEqual([path, 304, kept]);
      }
      for (const [name, answer] of Object.entries(answers)) {
        expect(faultsOf(`${name} ${path}`, answer)).toEqual([]);
        await answer.body?.cancel();
      }
    }
  });

  it('to every problem is closed, and is not to be kept', async () => {
    const codes = Object.keys(PROBLEMS) as ProblemCode[];
    for (const code of codes) {
      const fetch = () => Promise.reject(new ProblemError(code, 'For the test.'));
      const response = await openStage({ ASSETS: { fetch } as unknown as Fetcher }).request(
        '/docs',
      );
      expect([code, response.status]).toEqual([code, PROBLEMS[code].status]);
      const mayComeAgain = response.status === 503;
      expect([code, /^[1-9]\d*$/.test(response.headers.get('retry-after') ?? '')]).toEqual([
        code,
        mayComeAgain,
      ]);
      expect(faultsOf(code, response)).toEqual([]);
    }
  });

  it('with a file of the pages is closed', async () => {
    const stage = openStage();
    const files = inject('siteFiles').filter(
      (file, index) =>
        // That page is shown where there is none, and has no path of its own.
        file !== 'docs/404.html' &&
        // The map has thousands of files, which differ in their number.
        (!/^files\/map-\w+-\d+-/.test(file) || index % 100 === 0),
    );
    expect(files.length).toBeGreaterThan(180);
    const faults: string[] = [];
    for (const file of files) {
      const path = `/${file.replace(/\/index\.html$/, '')}`;
      const response = await stage.request(path);
      if (response.status !== 200) faults.push(`${path}: ${response.status}`);
      faults.push(...faultsOf(`file ${path}`, response));
      await response.body?.cancel();
    }
    expect(faults).toEqual([]);
  });
});
