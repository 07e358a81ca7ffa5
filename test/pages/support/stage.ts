/** The service with published fixtures and a token, as a browser meets it. */
import { askPrepared } from '../../support/prepared/ask-prepared.ts';
import type { Service } from '../../support/prepared/service.ts';

/** The one that `npm start` runs for all tests of pages: they read, and publish nothing. */
export const openService = (): Promise<Service> => askPrepared('service');

interface Answer<Doc> {
  readonly total: number;
  readonly docs: Doc[];
  readonly facets?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** What the service itself answers to a list. */
export async function askForStores<Doc>(
  { origin, token }: Service,
  query: string,
): Promise<Answer<Doc>> {
  const headers = { 'x-access-token': token };
  const response = await fetch(`${origin}/v2/external/stores?${query}`, { headers });
  return (await response.json()) as Answer<Doc>;
}

export async function askForAllStores<Doc>(service: Service, query: string): Promise<Doc[]> {
  const { total, docs } = await askForStores<Doc>(service, query);
  while (docs.length < total) {
    docs.push(...(await askForStores<Doc>(service, `${query}&skip=${docs.length}`)).docs);
  }
  return docs;
}
