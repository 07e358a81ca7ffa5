/** How a misspelled name finds the right one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSlips, suggestion } from '../../src/http/query/hints/closest-word.ts';

/** The distance by its definition, over all ways to begin. */
function slipsByDefinition(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restOfA, restOfB] = [a.slice(1), b.slice(1)];
  const ways = [
    slipsByDefinition(restOfA, b) + 1,
    slipsByDefinition(a, restOfB) + 1,
    slipsByDefinition(restOfA, restOfB) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && a[0] === b[1] && a[1] === b[0]) {
    ways.push(slipsByDefinition(a.slice(2), b.slice(2)) + 1);
  }
  return Math.min(...ways);
}

describe('slips', () => {
  it('are counted as defined, up to the limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 7 }), (a, b, limit) => {
        expect(countSlips(a, b, limit)).toBe(Math.min(slipsByDefinition(a, b), limit));
      }),
    );
  });
});

describe('the closest word', () => {
  it('is the first among equals', () => {
    expect(suggestion('nane', ['name', 'nave'])).toBe(' Did you mean "name"?');
  });
});
