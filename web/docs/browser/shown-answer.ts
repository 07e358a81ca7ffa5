/** What the service answers, and how it is shown to people. */
import { make } from '../../browser/make.ts';

export type Answer = Awaited<ReturnType<typeof askService>>;

/** @param target path and query */
export async function askService(target: string, token: string | null) {
  const began = performance.now();
  const headers = token === null ? [] : [['x-access-token', token] as [string, string]];
  const response = await fetch(target, { headers, cache: 'no-store' });
  const text = await response.text();
  return { target, response, text, milliseconds: performance.now() - began };
}

export function shownAnswer({ target, response, text, milliseconds }: Answer): Node[] {
  const { status, statusText, ok, headers } = response;
  const isJson = headers.get('content-type')?.includes('json');
  const value: unknown = isJson ? JSON.parse(text) : undefined;
  const outcome = make('strong', { className: ok ? 'good' : 'bad' }, `${status} ${statusText}`);
  const facts = ` in ${Math.round(milliseconds)} ms, ${(text.length / 1000).toFixed(1)} kB`;
  const all = [...headers].map(([name, content]) => `${name}: ${content}`);
  const shown = isJson ? JSON.stringify(value, null, 2) : text;
  const body = make('pre', { tabIndex: 0, role: 'region', ariaLabel: 'Body of the answer' }, shown);
  return [
    make('p', {}, make('code', {}, `GET ${target}`)),
    make('p', { role: 'status' }, outcome, facts, ...meaning(value)),
    make(
      'details',
      {},
      make('summary', {}, 'Headers'),
      make('pre', { tabIndex: 0 }, all.join('\n')),
    ),
    body,
  ];
}

/** Of a problem: the page about it. */
function meaning(value: unknown): (Node | string)[] {
  const { type, title } = Object(value) as Readonly<Record<string, string>>;
  if (!type?.startsWith('/docs/problems/')) return [];
  return [': ', make('a', { href: type }, title ?? type)];
}
