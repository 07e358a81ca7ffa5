/** The requests of each regime: the same for every contender, and in every run. */
import { Random } from '../../fixtures/generator/random.ts';
import { STORE_OPTIONS, type StoreFacts } from '../data/stores.ts';
import { drawRequest } from './draw-request.ts';
import { type BenchRequest, CASE_NAMES, type CaseName } from './request.ts';

/** Requests that the hot regime asks again and again. */
export const HOT_REQUESTS = 48;

/** What requests are drawn for: each purpose has draws of its own. */
const PURPOSES = ['hot', 'whole', 'orders', 'cold', 'crowd', 'memory', 'd1', 'conditions'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Draws that may come out as known ones before the directory counts as exhausted. */
const DRAWS_IN_VAIN = 1_000;

/** Requests of a case, drawn one after another, none of them twice. */
export class RequestStream {
  private readonly name: CaseName;
  private readonly facts: StoreFacts;
  private readonly random: Random;
  private readonly known = new Set<string>();

  constructor(name: CaseName, purpose: Purpose, facts: StoreFacts) {
    this.name = name;
    this.facts = facts;
    this.random = RequestStream.randomOf(name, purpose);
  }

  static randomOf(name: CaseName, purpose: Purpose): Random {
    const stream = PURPOSES.indexOf(purpose) * CASE_NAMES.length + CASE_NAMES.indexOf(name);
    return new Random(STORE_OPTIONS.seed, stream);
  }

  /** Returns the next request. @throws Error when the directory has no more different requests */
  next(): BenchRequest {
    for (let draw = 0; draw < DRAWS_IN_VAIN; draw++) {
      const request = drawRequest(this.name, this.random, this.facts);
      const text = `${request.token} ${request.path}`;
      if (this.known.has(text)) continue;
      this.known.add(text);
      return request;
    }
    throw new Error(`${this.name}: there are no more requests that were not asked`);
  }

  take(count: number): BenchRequest[] {
    return Array.from({ length: count }, () => this.next());
  }
}
