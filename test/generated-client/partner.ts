/**
 * What a partner writes with a generated client. It is compiled beside the client, which
 * `generate.mjs` puts into the folder `client`, and run against a service.
 */

import { createClient } from './client/client/index.js';
import {
  type CompanyVerticale,
  getHealth,
  getStore,
  listStores,
  type OpeningDay,
  type Problem,
  type Store,
} from './client/index.js';

/** What of a program's view of the service the test compares. */
export interface View {
  readonly names: readonly (string | undefined)[];
  readonly distances: readonly (number | undefined)[];
  readonly total: number;
  readonly firstDay: OpeningDay | undefined;
  readonly storeCount: number | undefined;
  readonly refusal: Problem | undefined;
  readonly unknown: Problem['code'] | undefined;
}

const WANTED: CompanyVerticale[] = ['BIKE', 'SKI'];

export async function viewDirectory(baseUrl: string, token: string): Promise<View> {
  const client = createClient({ baseUrl, auth: () => token });
  const page = await listStores({
    client,
    query: {
      'verticale.in': WANTED,
      sort: ['profile.name__desc', 'id'],
      fields: ['id', 'profile.name'],
      limit: 2,
      lang: 'en',
    },
  });
  const near = await listStores({
    client,
    query: { 'position.latitude': 48, 'position.longitude': 7, 'position.radius': 50 },
    throwOnError: true,
  });
  const store = await getStore({ client, path: { id: 'store-1' }, throwOnError: true });
  const whole = store.data as Store;
  const refused = await listStores({ client, query: { sort: ['distance'], limit: 500 } });
  const nobody = await getStore({ client, path: { id: 'nobody' } });
  const health = await getHealth({ client });
  return {
    names: page.data?.docs.map(({ profile }) => profile?.name) ?? [],
    distances: near.data.docs.map(({ distance }) => distance),
    total: near.data.total,
    firstDay: whole.temporal.schedule.openingHours[0]?.day,
    storeCount: health.data?.storeCount,
    refusal: refused.error,
    unknown: nobody.error?.code,
  };
}
