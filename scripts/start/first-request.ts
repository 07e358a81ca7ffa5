/** The first requests of a newcomer: tried once, then printed for pasting into a shell. */
import { CommandError } from '../cli/command-error.ts';

const STORES = '/v2/external/stores';

export interface FirstRequests {
  /** Stores that the directory answers with. */
  readonly storeCount: number;
  /** curl lines: two stores of the list, and the first of them by its slug. */
  readonly lines: readonly string[];
}

/** Asks the server at `url` as the holder of `token` will. @throws CommandError when it refuses */
export async function tryFirstRequests(url: string, token: string): Promise<FirstRequests> {
  const response = await fetch(`${url}${STORES}?limit=1&fields=slug`, {
    headers: { 'x-access-token': token },
  });
  const body = await response.text();
  if (!response.ok) {
    throw new CommandError(`the first request was answered ${response.status}: ${body}`);
  }
  const { total, docs }: { total: number; docs: { slug: string }[] } = JSON.parse(body);
  const paths = [`${STORES}?limit=2`, ...docs.map(({ slug }) => `${STORES}/${slug}`)];
  return {
    storeCount: total,
    lines: paths.map((path) => `curl -H 'x-access-token: ${token}' '${url}${path}'`),
  };
}
