/** Sets of verticales as 16-bit masks: bit n stands for `VERTICALES[n]`. */
import { VERTICALES, type Verticale } from './enumerations.ts';

/** The mask of `verticales`. */
export function verticaleMask(verticales: Iterable<Verticale>): number {
  let mask = 0;
  for (const verticale of verticales) mask |= 1 << VERTICALES.indexOf(verticale);
  return mask;
}
