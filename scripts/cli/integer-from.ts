/** Options whose value is a whole number. */
import { InvalidArgumentError } from 'commander';
import { formatCount } from './progress.ts';

/**
 * Parses an option's value that is an integer between two bounds, both included; digits alone.
 * @throws InvalidArgumentError with the bounds
 */
export function integerFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(
      `Expected an integer from ${formatCount(least)} to ${formatCount(most)}.`,
    );
  };
}
