/** The option that lets rows of the table pass. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Allowed } from './judge.ts';
import { ROW_NAMES } from './table.ts';

export interface GuardChoice {
  readonly allow?: Allowed;
}

export function declareGuards(command: Command): void {
  command.option(
    '--allow <guard[=percent]>',
    `let a guard pass, or up to so many percent of the stores; may be repeated: ${ROW_NAMES.join(', ')}`,
    readAllowed,
  );
}

function readAllowed(text: string, before: Allowed = new Map()): Allowed {
  const [, name = '', percent] = /^([a-z-]+)(?:=(\d+(?:\.\d+)?))?$/.exec(text) ?? [];
  if (!ROW_NAMES.includes(name)) {
    throw new InvalidArgumentError(
      `Expected one of ${ROW_NAMES.join(', ')}, with =PERCENT or without.`,
    );
  }
  const limit = percent === undefined ? Number.POSITIVE_INFINITY : Number(percent);
  if (percent !== undefined && limit > 100) {
    throw new InvalidArgumentError('Expected a percentage from 0 to 100.');
  }
  return new Map(before).set(name, limit);
}
