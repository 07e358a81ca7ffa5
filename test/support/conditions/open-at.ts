/** `openAt`. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { HoursOracle } from '../oracle/hours.ts';
import { type Asked, encoded, FOUND, type Samples } from './condition-case.ts';

const hours = new WeakMap<SourceStore, HoursOracle>();

/** To make one takes longer than to ask it. */
function hoursOf(store: SourceStore): HoursOracle {
  const known = hours.get(store) ?? new HoursOracle(store.temporal, 0);
  hours.set(store, known);
  return known;
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
  return text.replace(/(?:\.000)?Z$/, minutes > 0 ? '+02:00' : '-09:30');
}

export const OPEN_AT_ASKED = {
  /** Milliseconds since 1970. */
  openAt: {
    draw: instants,
    write: (instant) => ({ openAt: instantText(instant) }),
    keep: (instant) => (store) => (hoursOf(store).isOpen(instant) ? FOUND : null),
    headers: (instant) => ({ 'x-open-at': new Date(instant).toISOString() }),
  } satisfies Asked<number>,
};

const EXPECTED = 'Expected now, or an instant with its offset such as 2026-07-01T18:30:00+02:00';

const refused = (code: string, range: string, texts: readonly string[], reason = '') =>
  texts.map((text): [string, string, string] => [
    `openAt=${encoded(text)}`,
    `${code} openAt`,
    `${EXPECTED}${range}, got "${text}"${reason}.`,
  ]);

export const OPEN_AT_SAMPLES: Samples = {
  pairs: () => ({ openAt: ['openAt=2026-06-03T08:00:00Z', 'openAt=2026-06-07T22:00:00Z'] }),
  same: [['openAt=2026-07-01T18:30Z', 'openAt=2026-07-01T20:30:00.0004%2B02:00']],
  read: [
    ['2000-01-01T00:00Z', '2000-01-01T00:00:00.000Z'],
    ['2101-01-01T13:59:59.999999999+14:00', '2100-12-31T23:59:59.999Z'],
    ['2028-02-29T23:59:59.1+23:59', '2028-02-29T00:00:59.100Z'],
    ['2026-07-01T10:00 02:00', '2026-07-01T08:00:00.000Z'],
  ].map(([text = '', shown]) => [`openAt=${encoded(text)}`, `openAt=${shown}`]),
  explained: [
    ...refused('malformed_value', '', [
      ...['2026-07-01', '2026-02-29T10:00Z', '2026-07-01T24:00Z', '2026-07-01T10:00:60Z'],
      ...['2026-07-01T10:00:00.Z', '2026-07-01T10:00:00.1234567890Z', '2026-07-01t10:00z'],
      ...['2026-07-01T10:00+0200', 'Now', '1751364000'],
    ]),
    ...refused(
      'malformed_value',
      '',
      ['2026-07-01T10:00'],
      ', which does not say in which time zone it is',
    ),
    ...refused('out_of_range', ', in the years 2000 to 2100', [
      ...['1999-12-31T23:59:59Z', '2101-01-01T00:00Z', '2101-01-01T13:59:59.9999-10:00'],
    ]),
  ],
  tried: [['open_now', 'Did you mean "openAt"? It takes an instant, or now.']],
};
