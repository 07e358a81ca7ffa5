/** What hostile requests and guesses cost, in lines for people. */
import type { HostileRequest } from '../requests/hostile/hostile-requests.ts';
import { slownessBy, YARDSTICK } from './bars-under-load.ts';

export interface GuessesResult {
  /** Milliseconds. */
  readonly without: Latency;
  readonly during: Latency;
  /** Of the p99, by rounds: the middle of them. */
  readonly ratio: number;
  readonly guessesPerSecond: number;
  readonly wantedPerSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  /**
   * Microseconds of CPU that a guess costs the service, those that were looked up among them; null
   * where it is not known.
   */
  readonly cpuOfGuess: number | null;
  /** Keys of storage that were asked for while guesses came, and for how many seconds they did. */
  readonly keys: number;
  readonly seconds: number;
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

/** What a request was answered, and what it cost. */
export interface Cost {
  readonly request: HostileRequest;
  readonly status: number;
  readonly bytes: number;
  /** Of CPU; null where it is not known. */
  readonly milliseconds: number | null;
}

export interface HostileResult {
  readonly requests: number;
  /** Of all processes together. */
  readonly answers: number;
  readonly failed: number;
  /** For each request the middle one of all processes; the costliest first. */
  readonly costs: readonly Cost[];
  /** Microseconds that a constant answer of 0.9 MB took, meanwhile; null if unknown. */
  readonly yardstick: number | null;
}

/** Milliseconds of CPU that no request may cost, and how much longer the p99 may be. */
const MOST_CPU = 20;
const MOST_RATIO = 1.3;

/** Requests that are shown. */
const SHOWN = 15;
const SHOWN_CHARACTERS = 180;

const UNKNOWN_CPU = 'CPU is not known on this system';

const ms = (milliseconds: number) => `${milliseconds.toFixed(2)} ms`;
const verdict = (isHeld: boolean) => (isHeld ? 'held' : 'MISSED');

/** @param limit the same of a Worker that refuses in its first line: no Worker has less here */
export function guessLines(service: GuessesResult, limit: GuessesResult): string[] {
  const { without, during, ratio, guessesPerSecond, wantedPerSecond } = service;
  const { statuses, keys, seconds } = service;
  const cpu = service.cpuOfGuess === null ? UNKNOWN_CPU : `${service.cpuOfGuess.toFixed(0)} µs`;
  return [
    `Guesses: ${guessesPerSecond.toFixed(0)} a second of ${wantedPerSecond} wanted, ${seconds.toFixed(0)} s, answered ${JSON.stringify(statuses)}`,
    `  keys asked of storage meanwhile: ${keys}; CPU of a guess: ${cpu}`,
    `  held token, without: p50 ${ms(without.p50)}, p99 ${ms(without.p99)} (${without.requests} requests)`,
    `  held token, with:    p50 ${ms(during.p50)}, p99 ${ms(during.p99)} (${during.requests} requests)`,
    `  p99 with to without, middle of the rounds: ${ratio.toFixed(2)} (at most ${MOST_RATIO}: ${verdict(ratio <= MOST_RATIO)})`,
    `  the same of a Worker that refuses in its first line: ${limit.ratio.toFixed(2)}`,
  ];
}

export function hostileLines(result: HostileResult): string[] {
  const { requests, answers, failed, costs, yardstick } = result;
  const head = `Hostile requests: ${requests}; of ${answers} answers to them ${failed} failed`;
  const known = costs.flatMap(({ milliseconds, ...cost }) =>
    milliseconds === null ? [] : [{ ...cost, milliseconds }],
  );
  if (yardstick === null || known.length < costs.length) {
    return [head, `  ${UNKNOWN_CPU}: there is nothing to judge`];
  }
  const bar = MOST_CPU * slownessBy(yardstick);
  const over = known.filter(({ milliseconds }) => milliseconds > bar);
  const refused = known.find(({ status }) => status >= 400);
  return [
    head,
    `  at most ${MOST_CPU} ms of CPU where 0.9 MB take ${YARDSTICK} µs; here they take ${yardstick.toFixed(0)} µs: at most ${ms(bar)}; over it ${over.length} (${verdict(over.length === 0)})`,
    `  the costliest that was refused: ${refused ? ms(refused.milliseconds) : 'none'}`,
    ...known
      .slice(0, SHOWN)
      .map(
        ({ request, status, bytes, milliseconds }) =>
          `  ${ms(milliseconds)} ${status} ${bytes} B ${request.method} ${request.target.slice(0, SHOWN_CHARACTERS)}`,
      ),
  ];
}
