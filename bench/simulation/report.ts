/** `EDGE-DAY.md`: what the simulated day says, in tables. */
import { count, milliseconds, percent, table } from '../report/format.ts';
import type { RunMark } from '../report/results.ts';
import { quantilesOf } from '../report/statistics.ts';
import type { Costs, Kind } from './costs.ts';
import { distanceTo } from './d1.ts';
import { type Answer, type DayResult, type Design, simulateDay } from './day.ts';
import { PLACES, PRICES, REASONS, roundTrip, WORLD, type World } from './world.ts';

const SEED = 20_261_122;

const KIND_TITLES: Readonly<Record<Kind, string>> = {
  map: 'map users',
  lookUp: 'single look-ups',
  copy: 'pages of nightly copies',
};
const KINDS = Object.keys(KIND_TITLES) as Kind[];

/** Days with so much of the requests of map users and look-ups. */
const BUSYNESS = [1 / 300, 1 / 100, 1 / 30, 1 / 10, 1 / 3, 1];

const DAYS_A_MONTH = 30;

/** Assumptions that are named before the table of all. */
const DECISIVE = 3;

/** @param runs in which the costs were measured */
export function writeEdgeDay(sizes: readonly Costs[], runs: readonly RunMark[]): string {
  const measured = runs.map(({ date, commit }) => `${date}, commit ${commit}`).join('; ');
  return [
    '# A day at the edge',
    'Written by `npm run bench:day`; do not edit. A simulation: requests of a day come in at places all over the world, isolates are born and end, KV answers from the nearest tier that has a value, and D1’s database stands in Frankfurt. The same requests go to both designs.',
    `What a request costs was measured (\`bench/results.json\`, ${measured}): CPU of the service and of the D1 app, index parts and chunks that a request needs, milliseconds that D1 takes beyond the way to it, what a publication changes. How many queries D1 waits for one after another is read off \`bench/contenders/d1.ts\`. Everything else is assumed, stands in the last table, and is halved and doubled: the figures below are no better than that table.`,
    'Left out, for both: the way between partner and place. Left out in favour of D1: waiting for other queries (its database does one at a time). D1 is asked as in the benchmark, without read replicas: with a replica in each region its distances are those of Europe everywhere (the row “distance to D1”, half, shows the direction).',
    ...sizes.flatMap(sizeSections),
    '## What is assumed',
    table(
      ['Number', 'is', 'because'],
      Object.entries(REASONS).map(([name, [what, why]]) => [
        what,
        String(WORLD[name as keyof World]),
        why,
      ]),
    ),
    `Places and their shares of the requests are assumed, too: ${PLACES.map(({ name, share }) => `${name} ${share} %`).join(', ')}. Most is asked at 15 o’clock of each place, hardly anything twelve hours later. A read takes its usual time ± 30 %, as in the benchmark, if it is not slow; so does a query of D1. A step that reads many keys waits for the slowest. Prices: ${PRICES.source}.`,
    '',
  ].join('\n\n');
}

function sizeSections(costs: Costs): string[] {
  const day = simulateDay(WORLD, costs, SEED);
  return [
    `## ${count(costs.storeCount)} stores`,
    kindTable(day),
    spent(day),
    '### By place, map users',
    placeTable(day),
    '### Quieter days, map users and look-ups',
    'The fewer requests an isolate gets in its life, the more of them are its first.',
    busynessTable(costs),
    '### What it depends on, map users',
    ...sensitivities(costs),
    '### Where D1 wins',
    whereD1Wins(day, costs),
  ];
}

function kindTable({ answers }: DayResult): string {
  const rows = KINDS.map((kind) => {
    const own = answers.filter((answer) => answer.kind === kind);
    return [KIND_TITLES[kind], count(own.length), percent(firstShare(own)), ...comparison(own)];
  });
  const columns = ['Requests', 'a day', 'first of an isolate', ...COMPARISON];
  return table(columns, rows);
}

const COMPARISON = ['service: p50 / p95 / p99', 'D1: p50 / p95 / p99', 'D1 is sooner for'];

function comparison(answers: readonly Answer[]): string[] {
  return [
    quantileCell(answers, 'service'),
    quantileCell(answers, 'd1'),
    percent(answers.filter(isD1Sooner).length / answers.length),
  ];
}

const isD1Sooner = ({ milliseconds: { service, d1 } }: Answer): boolean => d1 < service;

function firstShare(answers: readonly Answer[]): number {
  return answers.filter(({ isFirst }) => isFirst).length / answers.length;
}

function quantilesFor(answers: readonly Answer[], design: Design) {
  const { p50, p95, p99 } = quantilesOf(answers.map((answer) => answer.milliseconds[design]));
  return { p50, p95, p99 };
}

function quantileCell(answers: readonly Answer[], design: Design): string {
  return Object.values(quantilesFor(answers, design)).map(milliseconds).join(' / ');
}

/** CPU and reads of the day, and what Cloudflare asks for a month of such days. */
function spent({ answers, cpu, kvReads, queries, listedRows }: DayResult): string {
  const requests = dollars(PRICES.requests, answers.length);
  const designs: readonly Design[] = ['service', 'd1'];
  const rows = designs.map((design) => {
    const rowsRead = design === 'd1' ? listedRows : 0;
    const bill =
      requests +
      dollars(PRICES.cpuMilliseconds, 1_000 * cpu[design]) +
      dollars(PRICES.kvReads, kvReads[design]) +
      dollars(PRICES.rowsRead, rowsRead);
    return [
      design === 'd1' ? 'D1' : 'service',
      `${count(cpu[design])} s`,
      count(kvReads[design]),
      design === 'd1' ? count(queries) : '',
      design === 'd1' ? count(rowsRead) : '',
      `${bill.toFixed(2)} $`,
    ];
  });
  const head = [
    'A day',
    'CPU',
    'keys of KV',
    'queries',
    'rows of lists',
    'a month, beyond the plan',
  ];
  return [
    table(head, rows),
    'D1’s CPU is that of its Worker and of its database, which Cloudflare does not charge for: its bill is that much too high. Its rows are those of lists alone; those that searches go through were not counted.',
  ].join('\n\n');
}

function dollars({ included, million }: { included: number; million: number }, aDay: number) {
  return (Math.max(0, DAYS_A_MONTH * aDay - included) / 1e6) * million;
}

function placeTable({ answers }: DayResult): string {
  const rows = PLACES.map(({ name }, place) => {
    const own = answers.filter((answer) => answer.place === place && answer.kind === 'map');
    const way = milliseconds(roundTrip(distanceTo(place)));
    return [name, count(own.length), way, percent(firstShare(own)), ...comparison(own)];
  });
  return table(['Place', 'a day', 'way to D1', 'first of an isolate', ...COMPARISON], rows);
}

function busynessTable(costs: Costs): string {
  const rows = BUSYNESS.map((factor) => {
    const { mapRequests, lookUps } = WORLD;
    const world = {
      ...WORLD,
      mapRequests: Math.round(factor * mapRequests),
      lookUps: Math.round(factor * lookUps),
    };
    const day = simulateDay(world, costs, SEED);
    const answers = day.answers.filter(({ kind }) => kind !== 'copy');
    return [count(answers.length), percent(firstShare(answers)), ...comparison(answers)];
  });
  return table(['Requests a day', 'first of an isolate', ...COMPARISON], rows);
}

/** What decides, in a sentence for each design, and everything in a table. */
function sensitivities(costs: Costs): string[] {
  const answersIn = (world: World) =>
    simulateDay(world, costs, SEED).answers.filter(({ kind }) => kind === 'map');
  const varied = (Object.keys(REASONS) as (keyof World)[]).map((name) => ({
    what: REASONS[name][0],
    days: [1 / 2, 2].map((factor) => {
      const value = factor * WORLD[name];
      return { value, answers: answersIn({ ...WORLD, [name]: value }) };
    }),
  }));
  const rowOf = (title: string, answers: readonly Answer[]) => {
    return [title, percent(firstShare(answers)), ...comparison(answers)];
  };
  const rows = varied.flatMap(({ what, days }) =>
    days.map(({ value, answers }) => rowOf(`${what}: ${value}`, answers)),
  );
  const decisive = (design: Design) => {
    const moved = varied.map(({ what, days }) => {
      const [half, twice] = days.map(({ answers }) => quantilesFor(answers, design).p95);
      return { what, half: half as number, twice: twice as number };
    });
    const distance = ({ half, twice }: (typeof moved)[number]) => Math.abs(twice - half);
    const most = moved.toSorted((a, b) => distance(b) - distance(a)).slice(0, DECISIVE);
    return most
      .map(({ what, half, twice }) => `${what} (${milliseconds(half)} to ${milliseconds(twice)})`)
      .join('; ');
  };
  return [
    `Halved and doubled, these move the p95 of the service most: ${decisive('service')}. That of D1: ${decisive('d1')}.`,
    table(
      ['Changed', 'first of an isolate', ...COMPARISON],
      [rowOf('nothing', answersIn(WORLD)), ...rows],
    ),
  ];
}

/** Of the day as assumed: kinds and places for which D1 is sooner at some quantile. */
function whereD1Wins({ answers }: DayResult, costs: Costs): string {
  const groups = KINDS.flatMap((kind) =>
    PLACES.map(({ name }, place) => {
      const own = answers.filter((answer) => answer.kind === kind && answer.place === place);
      return { title: `${KIND_TITLES[kind]}, ${name}`, own };
    }),
  );
  const lines = groups.flatMap(({ title, own }) => {
    if (own.length === 0) return [];
    const [service, d1] = [quantilesFor(own, 'service'), quantilesFor(own, 'd1')];
    const quantiles = (['p50', 'p95', 'p99'] as const).filter((name) => d1[name] < service[name]);
    return quantiles.length === 0 ? [] : [`- ${title}: ${quantiles.join(', ')}`];
  });
  const first = answers.filter(({ isFirst, kind }) => isFirst && kind !== 'copy');
  const share = first.filter(isD1Sooner).length / Math.max(1, first.length);
  return [
    `Of the first requests of isolates (copies aside), ${percent(share)} are answered sooner by D1 at ${count(costs.storeCount)} stores. At these quantiles D1 is sooner:`,
    lines.length === 0 ? '- nowhere' : lines.join('\n'),
  ].join('\n\n');
}
