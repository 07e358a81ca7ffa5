/** `--allow`, which passes guards by name, and what the help of `publish` says of them. */
import { InvalidArgumentError, Option } from 'commander';
import type { Allowed } from './judge.ts';
import { describeGuards, GUARD_NAMES, MAX_LOST } from './table.ts';

export const GUARDS_HELP = `
Guards, with the largest share of the stores that passes, compared with the live release. At most
${MAX_LOST} % may lose what a field had. Compared with the oldest release of the last 24 hours, twice as many
may lose or change something. What is so of one store or two always passes.
${describeGuards()}`;

export function allowOption(): Option {
  return new Option(
    '--allow <guard[=percent]>',
    `pass a guard, or set its limit in percent of the stores; can be repeated`,
  )
    .argParser(readAllowed)
    .default(new Map(), 'none');
}

function readAllowed(text: string, before: Allowed): Allowed {
  const [name = '', ...rest] = text.split('=');
  if (!GUARD_NAMES.includes(name)) {
    throw new InvalidArgumentError(
      `Expected one of ${GUARD_NAMES.join(', ')}, with =PERCENT or without.`,
    );
  }
  if (rest.length === 0) return new Map(before).set(name, Number.POSITIVE_INFINITY);
  const percent = rest.join('=');
  // More stores may come than are live.
  const range = name === 'added' ? '' : ' from 0 to 100';
  if (!/^\d+(\.\d+)?$/.test(percent) || (range !== '' && Number(percent) > 100)) {
    throw new InvalidArgumentError(`Expected a percentage${range} after the =.`);
  }
  return new Map(before).set(name, Number(percent));
}
