/** `openAt` and `at`. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { oracleOf } from '../oracle/hours.ts';
import { type Asked, encoded, FOUND, type Samples } from './condition-case.ts';

/** The end of the years that may be asked about. */
const LAST = Date.UTC(2101);

/** Instants about the edges of closures and seasons, and any minute of four years. */
function instants(stores: readonly SourceStore[]): fc.Arbitrary<number> {
  const edges = stores
    .flatMap(({ temporal: { schedule } }) => [
      ...schedule.closedRanges,
      ...schedule.lowSeasonRanges,
    ])
    .flatMap(({ from, to }) => [new Date(from).getTime(), new Date(to).getTime()])
    .filter((edge) => edge > Date.UTC(2001) && edge < Date.UTC(2100));
  const last = fc.integer({ min: 1, max: 9 * 24 * 60 }).map((minutes) => LAST - minutes * 60_000);
  const minute = fc
    .integer({ min: Date.UTC(2024) / 60_000, max: Date.UTC(2028) / 60_000 })
    .map((number) => number * 60_000);
  const edge = fc.tuple(
    fc.constantFrom(...edges, Date.UTC(2026)),
    fc.constantFrom(-1, 0, 1, 999, 1000),
  );
  const near = edge.map(([at, step]) => at + step);
  return fc.oneof(
    { weight: 9, arbitrary: minute },
    { weight: 9, arbitrary: near },
    { weight: 1, arbitrary: last },
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
    draw: (stores) =>
      fc.oneof(
        { weight: 2, arbitrary: fc.array(instants(stores), { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.array(instants(stores), { minLength: 2, maxLength: 4 }) },
      ),
    write: (all) => ({ openAt: all.map(instantText) }),
    keep:
      (all) =>
      ({ temporal }) =>
        all.every((instant) => oracleOf(temporal).isOpen(instant)) ? FOUND : null,
    headers: (all) => ({
      'x-open-at': [...new Set(all.map((instant) => new Date(instant).toISOString()))]
        .sort()
        .join(', '),
    }),
  } satisfies Asked<readonly number[]>,
  /** The same of one. No condition: the oracle's stores tell their hours. */
  at: {
    draw: instants,
    write: (instant) => ({ at: instantText(instant) }),
  } satisfies Asked<number>,
};

const EXPECTED = 'Expected now, or an instant with its offset such as 2026-07-01T18:30:00+02:00';

const refused = (code: string, range: string, texts: readonly string[], reason = '') =>
  texts.flatMap((text) =>
    ['openAt', 'at'].map((name) => [
      `${name}=${encoded(text)}`,
      `${code} ${name}`,
      `${EXPECTED}${range}, got "${text}"${reason}.`,
    ]),
  );

export const OPEN_AT_SAMPLES: Samples = {
  same: [
    ['openAt=2026-07-01T18:30Z', 'openAt=2026-07-01T20:30:00.0004%2B02:00'],
    [
      'openAt=2026-07-01T18:30Z,2026-07-01T08:30Z',
      'openAt[]=2026-07-01T08:30Z&openAt=2026-07-01T18:30:00Z,+2026-07-01T20:30%2B02:00+',
    ],
    ['at=2026-07-01T18:30Z', 'at=2026-07-01T20:30:00.0004+02:00'],
  ],
  read: [
    ['2000-01-01T00:00Z', '2000-01-01T00:00:00.000Z'],
    ['2101-01-01T13:59:59.999999999+14:00', '2100-12-31T23:59:59.999Z'],
    ['2028-02-29T23:59:59.1+23:59', '2028-02-29T00:00:59.100Z'],
    ['2026-07-01T10:00 02:00', '2026-07-01T08:00:00.000Z'],
    ['2026-07-02T10:00Z,2026-07-01T10:00Z', '2026-07-01T10:00:00.000Z,2026-07-02T10:00:00.000Z'],
    ['2026-07-01T10:00Z, 2026-07-01T12:00+02:00 ', '2026-07-01T10:00:00.000Z'],
  ].map(([text = '', shown]) => [`openAt=${encoded(text)}`, `openAt=${shown}`]),
  explained: [
    ['openAt=2026-07-01T10:00Z,a,b,c,d', 'too_many openAt', 'Takes at most 4 items, got 5.'],
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
  refused: [
    ['openAt=2026-07-01T10:00Z,', 'empty_value openAt'],
    [
      'openAt=x,2026-07-01T10:00Z,1999-01-01T00:00Z',
      'malformed_value openAt',
      'out_of_range openAt',
    ],
    ['at=2026-07-01T10:00Z,2026-07-02T10:00Z', 'malformed_value at'],
  ],
  tried: [
    ...['open', 'open_now', 'isOpen', 'openNow'].map((name) => [
      name,
      'Did you mean "openAt" or "at"? openAt keeps the stores that are open at an instant, or now. at tells of each store whether it is open at an instant, or now, and until when.',
    ]),
    ...['opening', 'hours', 'openingHours'].map((name) => [
      name,
      'Did you mean "at"? at tells of each store whether it is open at an instant, or now, and until when.',
    ]),
  ],
};
