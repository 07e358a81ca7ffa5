/**
 * `npm run client:hours`: opening hours, next opening and next closing of the client against the
 * oracle, every half hour of two years, of all fixture stores and of hard cases.
 */
import { setImmediate } from 'node:timers/promises';
import { defineCommand, runCommand } from '../../../scripts/cli/run-command.ts';
import { isOpenAt, nextClosing, nextOpening } from '../../../src/hours/opening-hours.ts';
import { HoursOracle } from '../../support/oracle/hours.ts';
import { fixtureCases, type HoursCase, hardCases } from './hours-cases.ts';

const HALF_HOUR = 1_800_000;
const MONTHS = 24.4;
const DAYS = 732;
const SEEDS = [11, 12, 13];
const SHOWN_DIFFERENCES = 5;

interface Tally {
  instants: number;
  /** What differs, in words: the first few. */
  readonly shown: string[];
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
    if (tally.differences > SHOWN_DIFFERENCES) continue;
    tally.shown.push(`${name} ${asked.toISOString()}: ${given}, and by the oracle ${right}`);
  }
}

const command = defineCommand('client:hours', {
  summary: 'Compare opening hours of the client with an oracle, every half hour of two years',
  declare: () => {},
  examples: [['', 'takes about five minutes']],
  run: async (_, { progress }) => {
    const cases = [
      ...fixtureCases('2026-01-01T00:00Z', DAYS),
      ...SEEDS.flatMap((seed) => hardCases(seed, MONTHS)),
    ];
    const tally: Tally = { instants: 0, shown: [], differences: 0 };
    progress.begin('Comparing', cases.length, 'stores');
    for (const [index, each] of cases.entries()) {
      compare(each, tally);
      progress.update(index + 1);
      // Lets the line of progress be drawn, and Ctrl-C be heard.
      await setImmediate();
    }
    const { instants, shown, differences } = tally;
    const sum = `${cases.length} stores, ${instants} instants each asked three things: ${differences} differences`;
    return {
      data: { stores: cases.length, ...tally },
      text: () => [...shown, sum].join('\n'),
      failed: differences > 0,
    };
  },
});

await runCommand('npm run client:hours --', command);
