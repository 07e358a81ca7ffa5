/** Options whose value is a whole number. */
import { InvalidArgumentError } from 'commander';
import { formatCount } from './progress.ts';

/**
 * Parses an option's value that is an integer between two bounds, both included; digits alone.
 * @param most left out: where numbers stop being exact
 * @throws InvalidArgumentError with the bounds
 */
export function integerFrom(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(
      `Expected an integer from ${formatCount(least)} to ${formatCount(most)}.`,
    );
  };
}
