/** Attribution of page URLs: a token's UTM parameters join the query. */
import { UTM_PARAMETERS, type Utm } from '../../../src/auth/token-record.ts';

/** `pageUrl` with `utm` at the end of its query, in place of parameters of the same names. */
export function attributed(pageUrl: string, utm: Utm): string {
  const added = UTM_PARAMETERS.filter((name) => utm[name] !== undefined);
  if (added.length === 0) return pageUrl;
  const [, base, query = '', fragment] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(pageUrl) ?? [];
  const kept = query.split('&').filter((part) => !added.some((name) => name === nameOf(part)));
  // An empty part at the end is the place for ours.
  if (kept.at(-1) === '') kept.pop();
  const ours = added.map((name) => `${name}=${encodeURIComponent(utm[name] as string)}`);
  return `${base}?${[...kept, ...ours].join('&')}${fragment}`;
}

function nameOf(parameter: string): string {
  return [...new URLSearchParams(`&${parameter}`).keys()][0] ?? '';
}
