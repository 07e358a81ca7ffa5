/** What a partner's compiler says of the client. Compiled by a test, never run. */
import {
  ConnectionError,
  type CopiedStore,
  type FieldPath,
  isOpenAt,
  type Language,
  MemoryCopy,
  nextOpening,
  ProblemError,
  type SelectedStore,
  type Store,
  type StoreCopy,
  type StoreDirectory,
  type Verticale,
} from 'rental-store-directory-client';

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** Compiles for `true` alone. */
function holds<_ extends true>(): void {}

declare const directory: StoreDirectory;
declare const signal: AbortSignal;

export async function fields() {
  const { docs } = await directory.list({ fields: ['id', 'profile.name', 'geo.locations.slug'] });
  type Doc = (typeof docs)[number];
  holds<
    Same<
      Doc,
      { id: string; profile: { name: string }; geo: { locations: { slug: string }[] | null } }
    >
  >();
  // @ts-expect-error a typo
  directory.list({ fields: ['id', 'profil.name'] });
  // @ts-expect-error a parameter that no list has
  directory.list({ rentalPointSlug: 'x' });

  const now = await directory.get('x', { at: 'now', fields: ['opening.isOpen'] });
  const until: { isOpen: boolean } | undefined = now.opening;
  // @ts-expect-error it was not asked for
  now.opening?.nextChange;
  console.log(until);
  await directory.list({ at: new Date(), openAt: [new Date(), 'now'], fields: ['opening'] });
  // @ts-expect-error a copy has no instant
  directory.sync(new MemoryCopy<Store>(), { at: 'now' });

  const near = await directory.get('x', { fields: ['distance', 'rentalPointSlug'] });
  // @ts-expect-error a field that some stores lack
  near.distance.toFixed();
  const told: [number | undefined, string | undefined] = [near.distance, near.rentalPointSlug];
  console.log(told);

  const whole = await directory.get('x', { lang: 'fr', rentalPointSlug: 'y' }, { signal });
  holds<Same<typeof whole, Store>>();
  const covered = await directory.get('x', { fields: ['profile', 'profile.name'] });
  holds<Same<typeof covered, { profile: Store['profile'] }>>();

  const constant = ['id', 'pageUrl'] as const;
  for await (const store of directory.stores({ fields: constant })) {
    holds<Same<typeof store, { id: string; pageUrl: string }>>();
  }
  const drawn: FieldPath[] = ['id', 'profile.name'];
  const unsure = await directory.list({ fields: drawn });
  holds<Same<typeof unsure.docs, SelectedStore<FieldPath[]>[]>>();
  const name: string | undefined = unsure.docs[0]?.profile?.name;
  return name;
}

export async function filters() {
  const kinds: Verticale[] = ['BIKE'];
  const lang: Language | undefined = undefined;
  await directory.list({ verticale: { in: kinds, notEquals: 'SKI' }, lang, sort: ['name__asc'] });
  await directory.list({ sort: ['distance'], position: { latitude: 1, longitude: 2, radius: 3 } });
  // @ts-expect-error the three of a position go together
  await directory.list({ position: { latitude: 1, longitude: 2 } });
  // @ts-expect-error no such verticale
  await directory.list({ verticale: { in: ['BYKE'] } });
  // @ts-expect-error nothing sorts by description
  await directory.list({ sort: ['profile.description'] });
  // @ts-expect-error no such language
  await directory.list({ lang: 'xx' });
  await directory.list({
    modules: { delivery: { enabled: true }, insurance: { details: { status: ['on_option'] } } },
    booking: { instantBooking: { lcd: false } },
    pricing: { currency: { isoCode: ['EUR'] }, tax: { type: undefined } },
    localization: { default: ['fr', 'de'] },
  });
  // @ts-expect-error a setting is true or false
  await directory.list({ modules: { delivery: { enabled: 'true' } } });
  // @ts-expect-error no such word
  await directory.list({ pricing: { tax: { type: ['NONE'] } } });
  // @ts-expect-error the language of an answer is no setting
  await directory.list({ localization: { current: ['fr'] } });
  // @ts-expect-error what lies in an array is none
  await directory.list({ modules: { delivery: { ranges: {} } } });
  // @ts-expect-error a walk skips nothing
  directory.stores({ skip: 10 });
}

export async function copies() {
  const whole = new MemoryCopy<Store>();
  const { release } = await directory.sync(whole, { verticale: { equals: 'BIKE' }, signal });
  const some = new MemoryCopy<CopiedStore<readonly ['slug']>>();
  await directory.sync(some, { fields: ['slug'] });
  holds<Same<CopiedStore<readonly ['slug']>, { id: string; slug: string }>>();
  // @ts-expect-error this copy wants names, which are not asked for
  await directory.sync(new MemoryCopy<{ id: string; name: string }>(), { fields: ['slug'] });
  const mine: StoreCopy<Store> = {
    load: () => null,
    save: async () => {},
    ids: async () => ['a'],
    put: (stores) => console.log(stores.length),
    remove: () => {},
  };
  await directory.sync(mine);
  const { docs } = await directory.changes(release);
  const kinds: ('added' | 'changed' | 'removed')[] = docs.map(({ change }) => change);
  return kinds;
}

export function hours(store: SelectedStore<readonly ['temporal']>, whole: Store): Date | null {
  if (isOpenAt(whole, new Date())) return null;
  // @ts-expect-error hours need the schedule
  isOpenAt({ temporal: { timezone: 'UTC' } }, new Date());
  // @ts-expect-error instants are dates
  isOpenAt(whole, 0);
  return nextOpening(store, new Date());
}

export function problems(error: unknown): string {
  if (error instanceof ProblemError) {
    if (error.code === 'store_unknown' || error.status === 410) return error.detail;
    return error.errors.map(({ parameter, code }) => `${parameter} ${code}`).join();
  }
  return error instanceof ConnectionError ? error.message : String(error);
}
