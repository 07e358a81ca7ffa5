/** Attribution of page URLs: a token's UTM parameters join the query. */
import { UTM_PARAMETERS, type Utm } from '../../../src/auth/token-record.ts';

/** `pageUrl` with `utm` at the end of its query, in place of parameters of the same names. */
export function attributed(pageUrl: string, utm: Utm): string {
  const added = UTM_PARAMETERS.flatMap((name) => {
    const value = utm[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  if (added.length === 0) return pageUrl;
  const hash = pageUrl.indexOf('#');
  const fragment = hash < 0 ? '' : pageUrl.slice(hash);
  const address = hash < 0 ? pageUrl : pageUrl.slice(0, hash);
  const mark = address.indexOf('?');
  const base = mark < 0 ? address : address.slice(0, mark);
  const query = mark < 0 ? '' : address.slice(mark + 1);
  const names: string[] = added.map(([name]) => name);
  const kept = query.split('&').filter((part) => !names.includes(nameOf(part)));
  // An empty part at the end is the place for ours.
  if (kept.at(-1) === '') kept.pop();
  const ours = added.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${base}?${[...kept, ...ours].join('&')}${fragment}`;
}

function nameOf(parameter: string): string {
  return [...new URLSearchParams(`&${parameter}`).keys()][0] ?? '';
}
