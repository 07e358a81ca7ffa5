/** What every answer to a hostile request has to be, and how much work it was. */
import { createExecutionContext } from 'cloudflare:test';
import { type MockInstance, vi } from 'vitest';
import { problemSchema } from '../../../src/http/problem-response.ts';
import { LIST_PARAMETERS } from '../../../src/http/query/list-parameters.ts';
import * as closestWord from '../../../src/parameters/closest-word.ts';
import { FaultList } from '../../../src/parameters/faults.ts';
import * as sortOrder from '../../../src/query/sort-order.ts';
import worker from '../../../src/worker.ts';
import { ORIGIN } from '../../support/worker/harness.ts';
import type { HostileRequest } from '../hostile/hostile-requests.ts';

/** Bytes. */
const LONGEST_ERROR = 64 * 1024;

const encoder = new TextEncoder();

/** Refusals that the contract has a 503 for, as nothing is wrong with the service. */
const EXPECTED_503 = new Set(['release_not_here_yet', 'run_overdue']);

const SHOWN_PER_PARAMETER = 20;

/** The most that one request may take. */
export const MOST_WORK = {
  /** Of misspelled parameters, and of misspelled fields. */
  suggestions: 2 * SHOWN_PER_PARAMETER,
  /** Of every parameter, and of all unknown ones together. */
  faults: SHOWN_PER_PARAMETER * (LIST_PARAMETERS.names.length + 1),
  /** Passes over all stores to put them in order. */
  sortPasses: 4,
};

type Work = { -readonly [kind in keyof typeof MOST_WORK]: number };

/** Counts work as it is done, from when it is made until it is stopped. */
export class WorkCounter {
  private readonly suggestions = vi.spyOn(closestWord, 'suggestion');
  private readonly orders = vi.spyOn(sortOrder, 'orderByRanks');
  private readonly faults: MockInstance[] = [];
  private written = 0;

  constructor() {
    for (const method of ['add', 'addUnknown'] as const) {
      const original = FaultList.prototype[method];
      const counting: typeof original = function (this: FaultList, name, explain) {
        original.call(this, name, (list) => {
          counter.written++;
          return explain(list);
        });
      };
      this.faults.push(vi.spyOn(FaultList.prototype, method).mockImplementation(counting));
    }
    const counter = this;
  }

  /** What has been done since it was last asked. */
  take(): Work {
    const passes = this.orders.mock.calls.reduce((sum, [, keys]) => sum + keys.length, 0);
    const work = {
      suggestions: this.suggestions.mock.calls.length,
      faults: this.written,
      sortPasses: passes,
    };
    this.written = 0;
    for (const mock of [this.suggestions, this.orders, ...this.faults]) mock.mockClear();
    return work;
  }

  stop(): void {
    for (const mock of [this.suggestions, this.orders, ...this.faults]) mock.mockRestore();
  }
}

/** Sends a request as it is, without waiting for the work behind its answer. */
export function send({ method, target, headers }: HostileRequest, env: Env): Promise<Response> {
  const all = new Headers();
  for (const [name, value] of headers) all.append(name, bytesOf(value));
  const request = new Request(ORIGIN + target, { method, headers: all, redirect: 'manual' });
  return worker.fetch(request, env, createExecutionContext()) as Promise<Response>;
}

/** What is wrong with an answer; null when nothing is. @param text its body, if it is an error */
export function faultOf(
  { method }: HostileRequest,
  { status, headers }: Response,
  text: string,
): string | null {
  if (!headers.get('x-request-id')) return 'no x-request-id';
  if (status < 400) return null;
  if (headers.get('content-type') !== 'application/problem+json') return 'no problem document';
  if (headers.get('cache-control') !== 'no-store') return 'may be kept';
  if (status === 401 && !headers.has('www-authenticate')) return 'no WWW-Authenticate';
  if (status === 405 && !headers.has('allow')) return 'no Allow';
  if ((status === 429 || status === 503) && !headers.has('retry-after')) return 'no Retry-After';
  if (method === 'HEAD') return text === '' ? null : 'a body for HEAD';
  if (encoder.encode(text).byteLength > LONGEST_ERROR) return 'too long';
  if (/[<>&]/.test(text)) return 'markup';
  const problem = problemSchema.safeParse(JSON.parse(text));
  if (!problem.success) return `not the problem of the contract: ${problem.error.message}`;
  if (problem.data.status !== status) return 'another status';
  if (status === 400 && !problem.data.errors?.length) return 'a 400 without errors';
  return status >= 500 && !EXPECTED_503.has(problem.data.code) ? 'a fault of the service' : null;
}

/** UTF-8 as header values have it: one character a byte. */
function bytesOf(text: string): string {
  const bytes = encoder.encode(text);
  return bytes.length === text.length ? text : String.fromCharCode(...bytes);
}
