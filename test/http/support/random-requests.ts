/** Arbitrary legal requests over given stores, each as parameters and as the path that asks for them. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { ASKED, askedOf } from '../../support/conditions/all.ts';
import { findStore } from '../../support/oracle/answer.ts';
import { STORE_PATHS } from '../../support/oracle/contract.ts';
import type { GetParams, ListParams } from '../../support/oracle/parameters.ts';
import { ARRAY_STYLES, type ArrayStyle, arrayParameters } from '../../support/query-text.ts';
import { language } from '../../support/stores/random-values.ts';

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

/** Every field that lists can be sorted by without a position or delivery point. */
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

/** Legal list requests over `stores`. */
export function listRequests(stores: readonly SourceStore[]): fc.Arbitrary<ListRequest> {
  const conditions = Object.entries(ASKED).map(([name, { draw }]) => [name, seldom(draw(stores))]);
  const params: fc.Arbitrary<ListParams> = fc
    .record({
      skip: seldom(fc.oneof(fc.nat(stores.length + 2), fc.constantFrom(0, 2 ** 31, 2 ** 32 + 1))),
      // Mostly short pages: a test reads thousands of them.
      limit: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 0, max: 8 }) },
        { weight: 1, arbitrary: fc.constantFrom(undefined, 99, 100) },
      ),
      fields: fc.option(fields, { freq: 2, nil: undefined }),
      lang: fc.option(language, { freq: 2, nil: undefined }),
      ...(Object.fromEntries(conditions) as Record<string, fc.Arbitrary<unknown>>),
    })
    .map((drawn) => withoutClashes(withoutUndefined(drawn)))
    .chain((drawn) =>
      fc
        .option(sorts(drawn), { freq: 2, nil: undefined })
        .map((sort) => (sort && drawn.after === undefined ? { ...drawn, sort } : drawn)),
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

/** What was drawn without the conditions that may not be asked for beside others. */
function withoutClashes(drawn: ListParams): ListParams {
  return askedOf(drawn).reduce<ListParams>((held, { name, asked }) => {
    if (!asked.notBeside?.some((other) => other in held)) return held;
    const { [name]: _, ...others } = held;
    return others;
  }, drawn);
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
      at: seldom(ASKED.at.draw(stores)) as fc.Arbitrary<number | undefined>,
      rentalPoint: fc.nat(6),
      otherRentalPoint: fc.constantFrom(...rentalPoints.map(({ slug }) => slug), 'no-such-point'),
    })
    .map(({ idOrSlug, style, fields, lang, at, rentalPoint, otherRentalPoint }) => {
      const own = findStore(stores, idOrSlug);
      // 0: the main location by default; 1 to 5: one of the store's own; 6: one of any store.
      const rentalPointSlug =
        rentalPoint === 6 ? otherRentalPoint : own?.geo.rentalPoints[rentalPoint - 1]?.slug;
      const params: GetParams = withoutUndefined({ fields, lang, rentalPointSlug, at });
      const path = `${LIST_PATH}/${encodeURIComponent(idOrSlug)}`;
      const instant = at === undefined ? {} : ASKED.at.write(at);
      const query = written({ lang, ...instant, rentalPointSlug, fields }, style).flat();
      return { idOrSlug, params, path: pathWith(path, query) };
    });
}

function listParameters(params: ListParams, style: ArrayStyle): string[][] {
  const { skip, limit, lang, sort, fields } = params;
  const conditions = askedOf(params).map(({ asked, value }) => asked.write(value));
  return written(Object.assign({ skip, limit, lang, sort, fields }, ...conditions), style);
}

/** The parts of a query, a group for each parameter. */
function written(
  parameters: Readonly<Record<string, string | number | readonly string[] | undefined>>,
  style: ArrayStyle,
): string[][] {
  return Object.entries(parameters).map(([name, value]) => {
    if (value === undefined) return [];
    return typeof value === 'object'
      ? arrayParameters(name, value, style)
      : [`${name}=${encodeURIComponent(value)}`];
  });
}

/** One to four keys; a field may come back, which decides nothing any more. */
function sorts({ position, delivery }: ListParams): fc.Arbitrary<string[]> {
  const field = fc.constantFrom(
    ...SORT_FIELDS,
    ...(position || delivery ? ['distance', 'distance'] : []),
    ...(delivery ? Array(5).fill('deliveryPrice') : []),
  );
  const direction = fc.constantFrom('', '__asc', '__desc');
  return fc.array(
    fc.tuple(field, direction).map(([name, suffix]) => name + suffix),
    { minLength: 1, maxLength: 4 },
  );
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
