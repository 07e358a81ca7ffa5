/** How much work a request was. */
import { type MockInstance, vi } from 'vitest';
import { LIST_PARAMETERS } from '../../../src/http/query/list-parameters.ts';
import * as closestWord from '../../../src/parameters/closest-word.ts';
import { FaultList } from '../../../src/parameters/faults.ts';
import * as sortOrder from '../../../src/query/sort-order.ts';

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
