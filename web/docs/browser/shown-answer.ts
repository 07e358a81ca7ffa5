/** What the service answered, for people. */
import { make } from '../../browser/make.ts';

export interface Answer {
  /** Path and query of the request. */
  readonly target: string;
  readonly response: Response;
  readonly text: string;
  /** Milliseconds that it took. */
  readonly time: number;
}

export function shownAnswer({ target, response, text, time }: Answer): Node[] {
  const { status, statusText, ok, headers } = response;
  const value = parsed(text);
  const outcome = make('strong', { className: ok ? 'good' : 'bad' }, `${status} ${statusText}`);
  const facts = ` in ${Math.round(time)} ms, ${(text.length / 1000).toFixed(1)} kB`;
  const all = [...headers].map(([name, content]) => `${name}: ${content}`);
  const shown = value === undefined ? text : JSON.stringify(value, null, 2);
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

/** Undefined where it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
