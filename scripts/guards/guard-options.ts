/** The options that move the guards' limits. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { GUARD_CODES, GUARDS, type Guard, type Limits } from './guards.ts';

/** What commander makes of the options: percent by the name of the option, in camel case. */
export type GuardOptions = Readonly<Record<string, unknown>>;

export function declareGuards(command: Command): void {
  for (const code of GUARD_CODES) {
    const guard: Guard = GUARDS[code];
    command.addOption(guardOption(guard.option, describe(guard)));
    if (guard.dayOption !== undefined) {
      const { would, bounds } = guard;
      const allowed = `percent of the stores live a day ago that may ${would} (default: ${bounds.day})`;
      command.addOption(guardOption(guard.dayOption, allowed));
    }
  }
}

/** The limits with what `options` say; what holds against the live release holds against a day ago, too. */
export function readLimits(options: GuardOptions): Limits {
  return Object.fromEntries(
    GUARD_CODES.map((code) => {
      const { option, dayOption, bounds }: Guard = GUARDS[code];
      const given = percentGiven(options, option);
      const givenDay = dayOption === undefined ? undefined : percentGiven(options, dayOption);
      const live = given ?? bounds.live;
      // Only what differs by default can be told apart.
      const day = givenDay ?? (dayOption === undefined ? live : Math.max(live, bounds.day));
      return [code, { live, day, first: bounds.first === null ? null : (given ?? bounds.first) }];
    }),
  ) as Limits;
}

function guardOption(name: string, description: string): Option {
  return new Option(`--${name} <percent>`, description).argParser(readPercent).helpGroup('Guards:');
}

function describe({ looksAt, would, bounds: { live, first } }: Guard): string {
  if (looksAt === 'change')
    return `percent of the live stores that may ${would} (default: ${live})`;
  const firstly = first === null ? '' : `; the first time, of all: ${first}`;
  return `percent of the stores, more than before, that may ${would} (default: ${live}${firstly})`;
}

function percentGiven(options: GuardOptions, option: string): number | undefined {
  const name = option.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return options[name] as number | undefined;
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && percent <= 100) return percent;
  throw new InvalidArgumentError('Expected a percentage from 0 to 100.');
}
