/** Arbitrary legal requests over given stores, each as parameters and as the path that asks for them. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { ASKED, askedOf } from '../../support/conditions/all.ts';
import { findStore, type GetParams, type ListParams } from '../../support/oracle/answer.ts';
import { STORE_PATHS } from '../../support/oracle/projection.ts';
import { language } from '../../support/stores/random-values.ts';
import { LIST } from '../../support/worker/harness.ts';

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

/** Every field that lists can be sorted by without a position or delivery point. */
const SORT_FIELDS: readonly string[] = [
  ...['id', 'slug', 'profile.name', 'name', 'localization.default', 'temporal.timezone'],
  ...['pricing.currency.isoCode', 'currency.isoName', 'metadata.timestamps.createdAt'],
  ...['reviews.external.rating', 'externalRating', 'reviews.external.total', 'externalReviewsNb'],
];

/** What stands before the next value of an array, after its name but for the comma: all mean the same. */
const ARRAY_STYLES = [',', '', '[]', '%5B%5D'] as const;

type ArrayStyle = (typeof ARRAY_STYLES)[number];

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
    .map(withoutClashes)
    .chain((drawn) =>
      fc
        .option(sorts(drawn), { freq: 2, nil: undefined })
        .map((sort) => (sort && drawn.after === undefined ? { ...drawn, sort } : drawn)),
    );
  return fc
    .tuple(params, fc.constantFrom(...ARRAY_STYLES), fc.boolean())
    .map(([drawn, style, backwards]) => {
      const { skip, limit, lang, sort, fields } = drawn;
      const conditions = askedOf(drawn).map(({ asked, value }) => asked.write(value));
      const sent = Object.assign({ skip, limit, lang, sort, fields }, ...conditions);
      return { params: drawn, path: pathOf(LIST, sent, style, backwards) };
    });
}

/** What was drawn without the conditions that may not be asked for beside others. */
function withoutClashes(drawn: ListParams): ListParams {
  return askedOf(drawn).reduce<ListParams>((held, { name, asked }) => {
    if (!asked.notBeside?.some((other) => Object(held)[other] !== undefined)) return held;
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
      const params = { fields, lang, rentalPointSlug, at };
      const instant = at === undefined ? {} : ASKED.at.write(at);
      const sent = { lang, ...instant, rentalPointSlug, fields };
      const path = pathOf(`${LIST}/${encodeURIComponent(idOrSlug)}`, sent, style);
      return { idOrSlug, params, path };
    });
}

/** A path with its query. Parameters may come in any order; the values of one keep theirs. */
function pathOf(
  path: string,
  parameters: Readonly<Record<string, string | number | readonly string[] | undefined>>,
  style: ArrayStyle,
  backwards = false,
): string {
  const written = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const between = style === ',' ? ',' : `&${name}${style}=`;
    return `${name}=${[value].flat().map(encodeURIComponent).join(between)}`;
  });
  const query = (backwards ? written.reverse() : written).join('&');
  return query === '' ? path : `${path}?${query}`;
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
