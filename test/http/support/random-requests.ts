/** Arbitrary legal requests over given stores, each as parameters and as the path that asks for them. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { FACETS, TERM_FIELDS, type TermField } from '../../../src/model/term-fields.ts';
import { findStore } from '../../support/oracle/answer.ts';
import { STORE_PATHS } from '../../support/oracle/contract.ts';
import type { GetParams, ListParams, Position } from '../../support/oracle/parameters.ts';
import { type AskedTerms, TERMS } from '../../support/oracle/terms.ts';
import { allWords } from '../../support/oracle/words.ts';
import {
  ARRAY_STYLES,
  type ArrayStyle,
  arrayParameters,
  decimalText,
} from '../../support/query-text.ts';
import { anyPoint, decimal, language, verticale } from '../../support/stores/random-values.ts';

export interface ListRequest {
  readonly params: ListParams;
  /** From `/v2` on, with the query. */
  readonly path: string;
}

export interface GetRequest {
  readonly idOrSlug: string;
  readonly params: GetParams;
  readonly path: string;
}

const LIST_PATH = '/v2/external/stores';

/** Every field that lists can be sorted by without a position. */
const SORT_FIELDS: readonly string[] = [
  ...['id', 'slug', 'profile.name', 'name', 'localization.default', 'temporal.timezone'],
  ...['pricing.currency.isoCode', 'currency.isoName', 'metadata.timestamps.createdAt'],
  ...['reviews.external.rating', 'externalRating', 'reviews.external.total', 'externalReviewsNb'],
];

/** `values`, but undefined three times out of four. */
function seldom<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: values },
  );
}

const topLevelFields = STORE_PATHS.filter((path) => !path.includes('.'));
const fields = fc.array(
  fc.oneof(fc.constantFrom(...STORE_PATHS), fc.constantFrom(...topLevelFields)),
  { minLength: 1, maxLength: 5 },
);

/** Legal list requests; positions tend to lie at or near locations of `stores`. */
export function listRequests(stores: readonly SourceStore[]): fc.Arbitrary<ListRequest> {
  const params = fc
    .record({
      skip: seldom(fc.oneof(fc.nat(stores.length + 2), fc.constantFrom(0, 2 ** 31, 2 ** 32 + 1))),
      // Mostly short pages: a test reads thousands of them.
      limit: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 0, max: 8 }) },
        { weight: 1, arbitrary: fc.constantFrom(undefined, 99, 100) },
      ),
      fields: fc.option(fields, { freq: 2, nil: undefined }),
      verticaleIn: seldom(fc.array(verticale, { minLength: 1, maxLength: 5 })),
      verticaleNotIn: seldom(fc.array(verticale, { minLength: 1, maxLength: 2 })),
      verticaleEquals: seldom(verticale),
      verticaleNotEquals: seldom(verticale),
      terms: seldom(terms(stores)),
      idIn: seldom(ids(stores)),
      after: seldom(fc.oneof(idOf(stores), anyId)),
      position: fc.option(positions(stores), { freq: 2, nil: undefined }),
      facets: seldom(fc.uniqueArray(fc.constantFrom(...FACETS), { minLength: 1 })),
      bbox: seldom(areas(stores)),
      q: seldom(searches(stores)),
      openAt: seldom(instants(stores)),
      lang: fc.option(language, { freq: 2, nil: undefined }),
    })
    .map((drawn) =>
      // Neither a skip nor a position nor words go with it.
      drawn.after === undefined
        ? { ...drawn, bbox: drawn.position ? undefined : drawn.bbox }
        : { ...drawn, skip: undefined, position: undefined, q: undefined },
    )
    .chain((drawn) =>
      fc
        .option(sorts(drawn.position !== undefined), { freq: 2, nil: undefined })
        .map((sort) =>
          withoutUndefined({ ...drawn, sort: drawn.after === undefined ? sort : undefined }),
        ),
    );
  return fc
    .tuple(params, fc.constantFrom(...ARRAY_STYLES), fc.boolean())
    .map(([drawn, style, backwards]) => {
      // Parameters may come in any order; the values of one keep theirs.
      const groups = listParameters(drawn, style);
      const query = (backwards ? groups.reverse() : groups).flat();
      return { params: drawn, path: pathWith(LIST_PATH, query) };
    });
}

/** Requests for one store: of `stores` by id in any case or by slug, or for one that is not there. */
export function getRequests(stores: readonly SourceStore[]): fc.Arbitrary<GetRequest> {
  const names = stores.flatMap(({ id, slug, geo }) => [
    ...[id, id.toUpperCase(), id.toLowerCase(), slug, slug, slug],
    ...[slug.toUpperCase(), `${slug}x`, geo.main.slug],
  ]);
  const rentalPoints = stores.flatMap(({ geo }) => [...geo.rentalPoints, geo.main]);
  return fc
    .record({
      idOrSlug: fc.constantFrom(...names, 'f'.repeat(24), 'no-such-store'),
      style: fc.constantFrom(...ARRAY_STYLES),
      fields: fc.option(fields, { freq: 2, nil: undefined }),
      lang: fc.option(language, { freq: 2, nil: undefined }),
      rentalPoint: fc.nat(6),
      otherRentalPoint: fc.constantFrom(...rentalPoints.map(({ slug }) => slug), 'no-such-point'),
    })
    .map(({ idOrSlug, style, fields, lang, rentalPoint, otherRentalPoint }) => {
      const own = findStore(stores, idOrSlug);
      // 0: the main location by default; 1 to 5: one of the store's own; 6: one of any store.
      const rentalPointSlug =
        rentalPoint === 6 ? otherRentalPoint : own?.geo.rentalPoints[rentalPoint - 1]?.slug;
      const params: GetParams = withoutUndefined({ fields, lang, rentalPointSlug });
      const path = `${LIST_PATH}/${encodeURIComponent(idOrSlug)}`;
      const slug = rentalPointSlug && encodeURIComponent(rentalPointSlug);
      const query = written({ lang, rentalPointSlug: slug }, { fields }, style).flat();
      return { idOrSlug, params, path: pathWith(path, query) };
    });
}

function listParameters(params: ListParams, style: ArrayStyle): string[][] {
  const { position, lang, skip, limit } = params;
  const terms = Object.entries(params.terms ?? {}).map(
    ([field, words]) => [TERMS[field as TermField].parameter, words] as const,
  );
  return written(
    {
      ...{ skip, limit, lang, after: params.after },
      bbox: params.bbox?.map(decimalText).join(),
      q: params.q && encodeURIComponent(params.q),
      openAt: params.openAt === undefined ? undefined : instantText(params.openAt),
      'verticale.equals': params.verticaleEquals,
      'verticale.notEquals': params.verticaleNotEquals,
      'position.latitude': position && decimalText(position.latitude),
      'position.longitude': position && decimalText(position.longitude),
      'position.radius': position && decimalText(position.radius),
    },
    {
      ...{ sort: params.sort, facets: params.facets, fields: params.fields },
      'id.in': params.idIn,
      ...Object.fromEntries(terms),
      'verticale.in': params.verticaleIn,
      'verticale.notIn': params.verticaleNotIn,
    },
    style,
  );
}

/** The parts of a query, a group for each parameter. */
function written(
  single: Readonly<Record<string, string | number | undefined>>,
  arrays: Readonly<Record<string, readonly string[] | undefined>>,
  style: ArrayStyle,
): string[][] {
  return [
    ...Object.entries(single).map(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    ),
    ...Object.entries(arrays).map(([name, values]) =>
      values ? arrayParameters(name, values, style) : [],
    ),
  ];
}

/** Any id, in either case. */
const anyId = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefABCDEF'),
  minLength: 24,
  maxLength: 24,
});

/** The id of one of the stores, as it is written or in another case. */
function idOf(stores: readonly SourceStore[]): fc.Arbitrary<string> {
  if (stores.length === 0) return anyId;
  return fc.constantFrom(...stores.flatMap(({ id }) => [id, id.toUpperCase(), id.toLowerCase()]));
}

/** Words of the stores, in some case, and one that none has; a name with a comma can't be asked for. */
function terms(stores: readonly SourceStore[]): fc.Arbitrary<AskedTerms> {
  const words = (field: TermField) => {
    if (field === 'languages') return language;
    const shown = stores
      .flatMap(TERMS[field].wordsOf)
      .filter((word) => word.isWellFormed() && /^[^,]+$/.test(word));
    const cases = shown.flatMap((word) => [word, word.toUpperCase()]);
    return fc.constantFrom(...cases, 'Atlantis', 'ÎTALIE');
  };
  const lists = TERM_FIELDS.map((field) => [
    field,
    fc.array(words(field), { minLength: 1, maxLength: 3 }),
  ]);
  return fc.record(Object.fromEntries(lists), { requiredKeys: [] });
}

/** Words of the stores: whole ones, beginnings, some with a slip, and a word that none has. */
function searches(stores: readonly SourceStore[]): fc.Arbitrary<string> {
  const words = [...new Set(stores.flatMap(allWords)), 'Reykjavík'];
  const change = fc.constantFrom<(letters: string[], place: number) => string[]>(
    ...[(letters: string[]) => letters, (letters: string[]) => letters],
    (letters, place) => letters.slice(0, place + 1),
    (letters, place) => letters.toSpliced(place, 1),
    (letters, place) => letters.toSpliced(place, 0, 'e'),
    (letters) => [...letters, 'e'],
    (letters, place) => letters.toSpliced(place, 1, 'e'),
    (letters, place) => letters.toSpliced(place, 2, ...letters.slice(place, place + 2).reverse()),
    (letters) => letters.map((letter) => letter.toUpperCase()),
  );
  const word = fc.tuple(fc.constantFrom(...words), change, fc.nat()).map(([text, edit, number]) => {
    const letters = Array.from(text);
    return edit(letters, number % letters.length).join('');
  });
  return fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', '-', ', '))
    .map(([all, between]) => all.join(between))
    .filter((text) => /[\p{L}\p{N}]/u.test(text) && Array.from(text).length <= 100);
}

/** Instants about the edges of closures and seasons, and any minute of four years. */
function instants(stores: readonly SourceStore[]): fc.Arbitrary<number> {
  const edges = stores
    .flatMap(({ temporal: { schedule } }) => [
      ...schedule.closedRanges,
      ...schedule.lowSeasonRanges,
    ])
    .flatMap(({ from, to }) => [new Date(from).getTime(), new Date(to).getTime()])
    .filter((edge) => edge > Date.UTC(2001) && edge < Date.UTC(2100));
  const minute = fc
    .integer({ min: Date.UTC(2024) / 60_000, max: Date.UTC(2028) / 60_000 })
    .map((number) => number * 60_000);
  const edge = fc.tuple(fc.constantFrom(...edges, Date.UTC(2026)), fc.constantFrom(-1, 0, 1));
  return fc.oneof(
    minute,
    edge.map(([at, step]) => at + step),
  );
}

/** In UTC, or by a clock that is ahead of it or behind. */
function instantText(instant: number): string {
  const minutes = [0, 0, 120, -570][Math.abs(instant) % 4] as number;
  const text = new Date(instant + minutes * 60_000).toISOString();
  if (minutes === 0) return text;
  const offset = minutes > 0 ? '%2B02:00' : '-09:30';
  return text.replace(/(?:\.000)?Z$/, offset);
}

function ids(stores: readonly SourceStore[]): fc.Arbitrary<string[]> {
  return fc.array(fc.oneof({ weight: 5, arbitrary: idOf(stores) }, anyId), {
    minLength: 1,
    maxLength: 12,
  });
}

/** One to four keys; a field may come back, which decides nothing any more. */
function sorts(withDistance: boolean): fc.Arbitrary<string[]> {
  const field = fc.constantFrom(...SORT_FIELDS, ...(withDistance ? ['distance', 'distance'] : []));
  const direction = fc.constantFrom('', '__asc', '__desc');
  return fc.array(
    fc.tuple(field, direction).map(([name, suffix]) => name + suffix),
    { minLength: 1, maxLength: 4 },
  );
}

function positions(stores: readonly SourceStore[]): fc.Arbitrary<Position> {
  const places = stores.flatMap(({ geo }) => [
    geo.main.point,
    ...geo.rentalPoints.map((p) => p.point),
  ]);
  const atAPlace = places.length > 0 ? fc.constantFrom(...places) : anyPoint;
  const nearAPlace = fc
    .tuple(atAPlace, offset, offset)
    .map(([{ lat, lng }, north, east]) => ({ lat: lat + north, lng: lng + east }))
    .filter(({ lat, lng }) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180);
  return fc
    .tuple(fc.oneof(atAPlace, nearAPlace, anyPoint), radius)
    .map(([{ lat, lng }, kilometres]) => ({
      latitude: asSent(lat),
      longitude: asSent(lng),
      radius: asSent(kilometres),
    }));
}

/** Areas whose corners tend to be locations of the stores; any pair of longitudes goes. */
function areas(stores: readonly SourceStore[]): fc.Arbitrary<[number, number, number, number]> {
  const points = stores.flatMap(({ geo }) => [geo.main.point]);
  const corner = points.length > 0 ? fc.oneof(fc.constantFrom(...points), anyPoint) : anyPoint;
  const edge = fc.constantFrom(-180, 180, 0, null, null, null);
  return fc
    .tuple(corner, corner, edge, edge)
    .map(([a, b, west, east]) => [
      asSent(west ?? a.lng),
      asSent(Math.min(a.lat, b.lat)),
      asSent(east ?? b.lng),
      asSent(Math.max(a.lat, b.lat)),
    ]);
}

const offset = fc.oneof(
  fc.integer({ min: -400, max: 400 }).map((steps) => steps / 1024),
  decimal(0.3),
);

const radius = fc.oneof(fc.constantFrom(0, 50, 50, 0.001, 1, 25), decimal(50).map(Math.abs));

/** What is left of a number after it went through a query string. */
function asSent(value: number): number {
  return Number(decimalText(value));
}

function pathWith(path: string, query: readonly string[]): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}
