/** What the page says of its state. */
import { ProblemError } from '../../../client/src/errors.ts';
import type { Wait } from '../../../client/src/retries.ts';
import { find } from './dom.ts';
import type { FoundStore } from './found-store.ts';
import type { Found } from './load-stores.ts';
import { CHANGES, type ExploreState } from './state.ts';

/** Tells what the page is doing, or has found. */
export function say(text: string): void {
  find('status', HTMLParagraphElement).textContent = text;
}

/** How many stores there are, and why the list may have fewer. */
export function describeStatus(
  { total, stores, isComplete }: Found,
  shown: readonly FoundStore[],
  listed: number,
  { opening, onlyInView }: ExploreState,
): string {
  if (!isComplete) return `Loading: ${count(stores.length)} of ${count(total)} stores …`;
  const parts = [
    stores.length < total
      ? `The first ${count(stores.length)} of ${count(total)} stores`
      : `${count(shown.length)} ${shown.length === 1 ? 'store' : 'stores'}`,
  ];
  if (opening === 'open') parts.push(`${count(shown.length)} open`);
  if (onlyInView && listed < shown.length) parts.push(`${count(listed)} in view`);
  const hidden = shown.filter(({ point }) => !point).length;
  if (hidden > 0) parts.push(`${count(hidden)} without a shown address`);
  return `${parts.join(', ')}.`;
}

/** Writes beside each kind of change how many stores of it the search has found. */
export function countChanges(stores: readonly FoundStore[]): void {
  for (const kind of CHANGES) {
    const number = stores.filter(({ change }) => change === kind).length;
    find(`count-${kind}`, HTMLOutputElement).value = count(number);
  }
}

/** What the mark of a store stands for, as the colours of the map know it. */
export function markKind({ change }: FoundStore, isOpen: boolean | null): string {
  if (change) return change;
  return isOpen === null ? 'store' : isOpen ? 'open' : 'closed';
}

export function describeFault(error: unknown): string {
  if (error instanceof ProblemError) {
    const { title, detail, errors } = error;
    return `${title}: ${[detail, ...errors.map((fault) => fault.detail)].join(' ')}`;
  }
  return `The service cannot be reached: ${error instanceof Error ? error.message : error}`;
}

export function describeWait({ milliseconds, reason }: Wait): string {
  const why = reason instanceof ProblemError ? 'asks to wait' : 'cannot be reached, asking again';
  return `The service ${why}: ${Math.ceil(milliseconds / 1000)} s …`;
}

const count = (number: number): string => number.toLocaleString('en');
