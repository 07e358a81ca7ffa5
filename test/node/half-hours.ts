/**
 * `npm run client:hours`: opening hours, next opening and next closing of the client against the
 * oracle, every half hour of two years, of all fixture stores and of hard cases.
 * Ends with 1 when they differ.
 */
import { isOpenAt, nextClosing, nextOpening } from '../../client/src/hours/opening-hours.ts';
import { HoursOracle } from '../shared/oracle/hours.ts';
import { fixtureCases, type HoursCase, hardCases } from './hours-cases.ts';

const HALF_HOUR = 1_800_000;
const MONTHS = 24.4;
const DAYS = 732;
const SEEDS = [11, 12, 13];
const SHOWN_DIFFERENCES = 5;

interface Tally {
  instants: number;
  differences: number;
}

function compare({ name, temporal, from, to }: HoursCase, tally: Tally): void {
  const oracle = new HoursOracle(temporal, from);
  const store = { temporal };
  for (let instant = from; instant < to; instant += HALF_HOUR) {
    const asked = new Date(instant);
    tally.instants++;
    const given = [
      isOpenAt(store, asked),
      nextOpening(store, asked)?.getTime() ?? null,
      nextClosing(store, asked)?.getTime() ?? null,
    ];
    const right = [oracle.isOpen(instant), oracle.next(instant, true), oracle.next(instant, false)];
    if (given.every((value, index) => value === right[index])) continue;
    tally.differences++;
    if (tally.differences <= SHOWN_DIFFERENCES) {
      console.error(`${name} ${asked.toISOString()}: ${given}, and by the oracle ${right}`);
    }
  }
}

const cases = [
  ...fixtureCases('2026-01-01T00:00Z', DAYS),
  ...SEEDS.flatMap((seed) => hardCases(seed, MONTHS)),
];
const tally: Tally = { instants: 0, differences: 0 };
for (const [index, each] of cases.entries()) {
  compare(each, tally);
  if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${cases.length} stores`);
}
if (process.stderr.isTTY) process.stderr.write('\n');
console.log(
  `${cases.length} stores, ${tally.instants} instants each asked three things: ${tally.differences} differences`,
);
process.exitCode = tally.differences > 0 ? 1 : 0;
