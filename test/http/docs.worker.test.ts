/** The pages for people. */
import { html } from 'hono/html';
import { describe, expect, it, vi } from 'vitest';
import { GUIDES } from '../../src/http/paths.ts';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import type { QuerySchema } from '../../src/http/query/query-schema.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { PROBLEMS } from '../../src/model/problem.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { FAULTS } from '../../web/openapi/fault-codes.ts';
import { OPERATIONS } from '../../web/openapi/operations.ts';
import { openStage } from '../support/worker/harness.ts';
import { examplesOf } from '../support/worker/query-faults.ts';

const CODES = Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[];

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function pageText(path: string): Promise<string> {
  const response = await openStage().request(path);
  expect([path, response.status]).toEqual([path, 200]);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return response.text();
}

describe('the documentation', () => {
  it('leads to every guide, operation and problem, and no link of any page is dead', async () => {
    const texts = new Map<string, string>();
    const others = new Set<string>();
    const fragments: (readonly [string, string])[] = [];
    const waiting = ['/docs'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (texts.has(path)) continue;
      const text = await pageText(path);
      texts.set(path, text);
      for (const [, tag, link = ''] of text.matchAll(/<(\w+)\s[^>]*?(?:href|src)="([^"]+)"/g)) {
        // Where the changelog's form is described.
        if (tag === 'a' && link.startsWith('https://')) continue;
        const { origin, pathname, hash } = new URL(link, `https://stores.test${path}`);
        expect([path, link, origin]).toEqual([path, link, 'https://stores.test']);
        if (hash !== '') fragments.push([pathname, hash.slice(1)]);
        if (tag === 'a' && pathname.startsWith('/docs')) waiting.push(pathname);
        else others.add(pathname);
      }
      // Pages that a text names.
      for (const [, named = ''] of text.matchAll(/<code[^>]*>(\/docs[^<]*)<\/code>/g)) {
        waiting.push(named);
      }
    }
    for (const [path, fragment] of fragments) {
      if (fragment === '' || fragment === '_top') continue;
      expect(texts.get(path), `${path}#${fragment}`).toContain(` id="${fragment}"`);
    }
    for (const path of others) {
      expect([path, (await openStage().request(path)).status]).toEqual([path, 200]);
    }
    // Of every page, and of nothing else.
    const list = await (await openStage().request('/llms.txt')).text();
    const listed = [...list.matchAll(/\]\((\/docs\/.*?)\)/g)].map(([, path = '']) => path);
    const pages = [...texts.keys()].map((path) => `${path.replace(/^\/docs$/, '/docs/index')}.md`);
    expect(listed.sort()).toEqual(pages.sort());
    expect([...others].filter((path) => path.endsWith('.md')).sort()).toEqual(listed);
    for (const path of listed) {
      const page = await openStage().request(path);
      expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      const prose = (await page.text()).replaceAll(/^```[\s\S]*?^```$|`[^`\n]+`/gm, '');
      expect([path, prose.match(/<\/?[a-z]|\{\{/g)]).toEqual([path, null]);
      for (const [, link = ''] of prose.matchAll(/\]\((\/docs\/.*?)(?:#.*?)?\)/g)) {
        expect([path, listed]).toEqual([path, expect.arrayContaining([link])]);
      }
    }
    expect([...texts.keys()]).toEqual(
      expect.arrayContaining([
        ...GUIDES.map((name) => `/docs/guides/${name}`),
        ...CODES.map((code) => `/docs/problems/${code}`),
        ...OPERATIONS.map(({ id }) => `/docs/operations/${id}`),
      ]),
    );
    // The policy allows no script that is not in a file.
    for (const text of texts.values()) expect(text).not.toMatch(/<script(?![^>]* src=)/);
  });

  it('tells of all operations, parameters, fields and faults', async () => {
    const parameters = (schema: QuerySchema) =>
      examplesOf(schema).flatMap(([name, example]) => [
        `<code>${name}</code></h4>`,
        `${encodeURI(`${name}=${example}`)}<`,
      ]);
    const told = {
      '': [
        ...OPERATIONS.map(({ path }) => `GET ${path.replace(':id', '{id}')}<`),
        // Where paths above pages redirect to.
        ...['guides', 'operations'].map((fragment) => ` id="${fragment}"`),
      ],
      '/operations/listStores': [
        ...parameters(LIST_QUERY),
        ...Object.keys(SORT_FIELDS).map((field) => `<code>${field}</code>`),
        ...['token', 'array of string', 'number, 0 to 50', 'integer, at least 0, default 0'],
      ],
      '/operations/getStore': parameters(STORE_QUERY),
      '/fields': FIELD_PATHS.map((path) => `id="field-${path}"`),
      '/problems': Object.keys(FAULTS),
    };
    for (const [path, texts] of Object.entries(told)) {
      const page = await pageText(`/docs${path}`);
      expect(
        texts.filter((text) => !page.includes(text)),
        path,
      ).toEqual([]);
    }
  });

  it('is asked for anew each time, and what it loads never', async () => {
    const response = await openStage().request('/docs');
    expect(response.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const [, file = ''] = /"(\/docs\/files\/[^"]+\.css)"/.exec(await response.text()) ?? [];
    const { status, headers } = await openStage().request(file);
    expect([status, headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  });

  it('is not there where the Worker has no assets', async () => {
    const stage = openStage({ ASSETS: undefined as unknown as Fetcher });
    const paths = ['/docs', '/explore', '/openapi.json', '/docs/guides/versions', '/files/x.js'];
    for (const path of paths) {
      const response = await stage.request(path, { headers: HTML });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'route_unknown' });
    }
  });
});

describe('a path of the documentation that is none', () => {
  it('is a problem with its id where the page for people cannot be read', async () => {
    const { env } = openStage();
    const ask = vi.fn<typeof env.ASSETS.fetch>();
    ask.mockResolvedValueOnce(new Response(null, { status: 404 }));
    ask.mockRejectedValueOnce(new Error('no assets'));
    const stage = openStage({ ASSETS: { ...env.ASSETS, fetch: ask } as Env['ASSETS'] });
    const response = await stage.request('/docs/nope', { headers: HTML });
    expect([response.status, ask.mock.calls.length]).toEqual([404, 2]);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-request-id')).not.toBeNull();
  });

  it.each([
    ...[
      '/docs/nope',
      '/docs/404',
      '/docs/guides/README',
      '/docs/guides/..%2Fdocs',
      '/docs/files/x',
    ],
    ...['/docs/problems/nope', '/docs/problems/INTERNAL', '/docs/problems/%3Cscript%3E'],
  ])('%s shows people a page, and programs the problem', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const page = await openStage().request(path, { method, headers: HTML });
      expect([page.status, page.headers.get('vary')]).toEqual([404, 'Accept']);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
      const text = await page.text();
      expect(text.includes('There is no such page')).toBe(method === 'GET');
    }
    const problem = await openStage().request(path, { headers: { accept: '*/*' } });
    expect([problem.status, problem.headers.get('vary')]).toEqual([404, 'Accept']);
    expect(await problem.json()).toMatchObject({ code: 'route_unknown' });
  });
});

it.each(CODES)('the page of the problem %s says what it means', async (code) => {
  const text = await pageText(`/docs/problems/${code}`);
  const { title, status, help } = PROBLEMS[code];
  expect(text).toContain(String(html`>${title}</h1>`));
  expect(text).toContain(`Status ${status}`);
  const words = String(html`${help.replaceAll('`', '')}`);
  expect(text.replaceAll(/<\/?code[^>]*>/g, '')).toContain(words);
  expect(text).toContain(`/docs/problems/${code}&quot;`);
});
