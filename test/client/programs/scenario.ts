/** What a partner does with the client, in one go: the same in every runtime. */
import {
  isOpenAt,
  MemoryCopy,
  nextClosing,
  nextOpening,
  ProblemError,
  type Store,
  StoreDirectory,
} from 'rental-store-directory-client';

export type Outcome = Awaited<ReturnType<typeof useClient>>;

const INSTANTS = [
  '2026-03-29T00:59:59.999Z',
  '2026-10-25T01:00:00.000Z',
  '2026-12-25T11:30:00.000Z',
];

export async function useClient(baseUrl: string, token: string) {
  const directory = new StoreDirectory({ baseUrl, token });
  const first = await directory.list({ limit: 1, fields: ['id', 'slug', 'profile.name'] });
  const slugs = new Set<string>();
  for await (const { slug } of directory.stores({ fields: ['slug'], limit: 50 })) slugs.add(slug);
  const copy = new MemoryCopy<Store>();
  const { put } = await directory.sync(copy);
  const { put: changed } = await directory.sync(copy);
  const statuses: number[] = [];
  const watched = new StoreDirectory({
    baseUrl,
    token,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      statuses.push(response.status);
      return response;
    },
  });
  const slug = first.docs[0]?.slug ?? '';
  const one = await watched.get(slug, { fields: ['temporal'] });
  const same = await watched.get(slug, { fields: ['temporal'] });
  const stores = [...copy.stores.values()].slice(0, 20);
  return {
    total: first.total,
    walked: slugs.size,
    copied: put,
    copiedAgain: changed,
    codes: await refusals(directory),
    unchanged: JSON.stringify(one) === JSON.stringify(same) ? statuses : [],
    hours: [one, ...stores].flatMap(hoursOf),
  };
}

function hoursOf(store: Pick<Store, 'temporal'>): (boolean | string | null)[] {
  return INSTANTS.map((text) => new Date(text)).flatMap((instant) => [
    isOpenAt(store, instant),
    nextOpening(store, instant)?.toISOString() ?? null,
    nextClosing(store, instant)?.toISOString() ?? null,
  ]);
}

async function refusals(directory: StoreDirectory): Promise<string[]> {
  const calls = [directory.get('no-such-store'), directory.list({ limit: -1 })];
  const settled = await Promise.allSettled(calls);
  return settled.map((each) => {
    const reason: unknown = each.status === 'rejected' ? each.reason : null;
    if (!(reason instanceof ProblemError)) return 'none';
    return [reason.code, ...reason.errors.map(({ parameter }) => parameter)].join(' ');
  });
}
