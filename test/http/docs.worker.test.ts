/** The pages for people. */
import { describe, expect, it } from 'vitest';
import { SERVED_PAGES } from '../../src/http/pages/policy.ts';
import { GUIDES } from '../../src/http/paths.ts';
import { GET_PARAMETERS } from '../../src/http/query/get-parameters.ts';
import { LIST_PARAMETERS } from '../../src/http/query/list-parameters.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { PARAMETER_FAULTS } from '../../src/parameters/faults.ts';
import { PROBLEMS } from '../../src/problem.ts';
import { html, prose } from '../../web/html.ts';
import { openStage } from '../support/worker/harness.ts';

const CODES = Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[];

async function pageText(path: string): Promise<string> {
  const response = await openStage().request(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  return response.text();
}

/** The first row of a table of parameters about this one. */
function rowOf(parameter: string, page: string): string {
  const start = page.indexOf(`<th scope="row"><code>${parameter}</code></th>`);
  expect(start, parameter).toBeGreaterThan(0);
  return page.slice(start, page.indexOf('</tr>', start));
}

describe('/docs', () => {
  it('tells of all operations, parameters, fields, tokens and problems', async () => {
    const text = await pageText('/docs');
    const { paths } = await openStage()
      .request('/openapi.json')
      .then((response) => response.json<{ paths: Record<string, { get: { summary: string } }> }>());
    for (const [path, { get }] of Object.entries(paths)) {
      expect(text).toContain(`<code>${path}</code>`);
      expect(text).toContain(html`>${get.summary}</a>`.text);
    }
    const plain = text.replaceAll('<wbr>', '');
    for (const { name, example } of [...LIST_PARAMETERS.parameters, ...GET_PARAMETERS.parameters]) {
      expect(plain).toContain(`<code>${name}</code>`);
      expect(plain).toContain(`${name}=${example}`);
    }
    for (const path of FIELD_PATHS) expect(plain).toContain(`id="field-${path}"`);
    for (const code of CODES) expect(text).toContain(`href="/docs/problems/${code}"`);
    for (const code of Object.keys(PARAMETER_FAULTS)) expect(text).toContain(code);
    const sort = rowOf('sort', text);
    for (const field of Object.keys(SORT_FIELDS)) expect(sort).toContain(`<code>${field}</code>`);
    expect(sort).not.toContain('paths of fields');
    expect(rowOf('after', text.slice(text.indexOf('id="listChanges"')))).toMatch(
      /24 hexadecimal digits(?!.*position)/s,
    );
    for (const mention of [
      'x-access-token',
      'stores:read:GET',
      'array of string',
      'number, 0 to 50',
      'integer, at least 0, default 0',
      'number, -90 to 90',
      '<code>fr</code> <code>en</code> <code>nl</code>',
    ]) {
      expect(text).toContain(mention);
    }
  });

  it('loads nothing but files of its own, which never change', async () => {
    for (const path of ['/docs', '/docs/problems/internal', '/docs/guides/quick-start']) {
      const text = await pageText(path);
      const files = [
        ...text.matchAll(/<(?:link rel="stylesheet" href|script[^>]* src)="([^"]*)"/g),
      ];
      expect(files.length).toBeGreaterThan(0);
      for (const [, file = ''] of files) {
        expect(file).toMatch(/^\/files\/[\w-]+-[A-Za-z0-9]{8,}\.(css|js)$/);
        const { status, headers } = await openStage().request(file);
        expect(status).toBe(200);
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      }
      expect(text).not.toMatch(/<script>|<style|<img|@import|url\(/);
    }
  });

  it.each([...Object.keys(SERVED_PAGES), '/docs/problems/internal', '/docs/guides/versions'])(
    '%s keeps to itself and to this origin',
    async (path) => {
      const { headers } = await openStage().request(path);
      const policy = headers.get('content-security-policy') ?? '';
      for (const directive of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]) {
        expect(policy.split('; ')).toContain(directive);
      }
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
      expect(policy.includes("style-src 'self' 'unsafe-inline'")).toBe(path === '/docs/console');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-request-id')).not.toBeNull();
    },
  );

  it('is asked for anew each time, and sent when it has changed', async () => {
    const { headers } = await openStage().request('/docs');
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const tag = headers.get('etag') ?? '';
    const again = await openStage().request('/docs', { headers: { 'if-none-match': tag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect(again.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('is not there where the Worker has no assets', async () => {
    const stage = openStage({ ASSETS: undefined as unknown as Fetcher });
    for (const path of [
      '/docs',
      '/explore',
      '/openapi.json',
      '/docs/problems/internal',
      '/docs/guides/versions',
      '/files/x.js',
    ]) {
      const response = await stage.request(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'route_unknown' });
    }
  });

  it('shows no markup of another language', async () => {
    for (const path of ['/docs', ...CODES.map((code) => `/docs/problems/${code}`)]) {
      expect([path, (await pageText(path)).includes('`')]).toEqual([path, false]);
    }
    expect(await pageText('/docs/problems/scope_missing')).toContain(
      '<code>detail</code> names it',
    );
  });

  it('links to pages that are there', async () => {
    const text = await pageText('/docs');
    const links = new Set([...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link ?? ''));
    for (const link of links) if (/^(#|data:)/.test(link)) links.delete(link);
    expect(links.size).toBeGreaterThan(CODES.length + 5);
    const stage = openStage();
    for (const link of links) {
      const { status } = await stage.request(link.replace(/#.*/, ''));
      // The health page is alive too, though nothing is published here.
      expect([link, status]).toEqual([link, link === '/healthz' ? 503 : 200]);
    }
  });
});

describe('the page of a problem', () => {
  it.each(CODES)('%s says what it means', async (code) => {
    const text = await pageText(`/docs/problems/${code}`);
    const { title, status, help } = PROBLEMS[code];
    expect(text).toContain(`<h1>${html`${title}`.text}</h1>`);
    expect(text).toContain(`Status ${status}`);
    expect(text).toContain(prose(help).text);
    expect(text).toContain(`&quot;/docs/problems/${code}&quot;`);
  });

  it.each(['nope', 'INTERNAL', 'toString', '%3Cscript%3E'])('%s is none', async (code) => {
    const response = await openStage().request(`/docs/problems/${code}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'route_unknown' });
  });
});

describe('a guide', () => {
  it.each(Object.entries(GUIDES))(
    '%s has its title, and links to what is there',
    async (name, title) => {
      const text = await pageText(`/docs/guides/${name}`);
      expect(text).toContain(`<h1>${title}</h1>`);
      const links = [...text.matchAll(/href="([^"#]+)(?:#[^"]*)?"/g)].map(([, link]) => link ?? '');
      for (const link of new Set(links)) {
        // The form of the changelog is described elsewhere.
        if (/^(data|https):/.test(link)) continue;
        expect([link, (await openStage().request(link)).status]).toEqual([link, 200]);
      }
    },
  );

  it('is led to from the reference', async () => {
    const text = await pageText('/docs');
    for (const name of Object.keys(GUIDES)) expect(text).toContain(`href="/docs/guides/${name}"`);
  });

  it.each(['nope', 'toString', 'README', '..%2Fdocs'])('%s is none', async (name) => {
    const response = await openStage().request(`/docs/guides/${name}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'route_unknown' });
  });
});

describe('/', () => {
  it('leads to the documentation, without a token', async () => {
    const response = await openStage().request('/');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/docs');
    expect(await response.text()).toBe('');
  });
});

describe('html', () => {
  it('makes code of what stands between backticks, as text still', () => {
    expect(prose('`a<b` & `c`').text).toBe('<code>a&lt;b</code> &amp; <code>c</code>');
  });

  it('takes insertions for text, unless they are HTML', () => {
    const inner = html`<b>${'<i> & "x"'}</b>`;
    expect(html`<p title="${"it's"}">${inner}${[inner, inner]}${7}</p>`.text).toBe(
      `<p title="it&#39;s">${'<b>&lt;i&gt; &amp; &quot;x&quot;</b>'.repeat(3)}7</p>`,
    );
  });
});
