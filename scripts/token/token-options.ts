/** Options and arguments of the token commands, checked while they are parsed. */
import { InvalidArgumentError, Option } from 'commander';
import { READ_STORES, scopeFault } from '../../src/auth/scope.ts';
import { tokenRecordSchema } from '../../src/auth/token-record.ts';
import { type Utm, utmSchema } from '../../src/model/utm.ts';
import { UsageError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/environment-option.ts';
import { parseExpiry } from './expiry.ts';

export interface IssueOptions extends PlaceOptions {
  readonly partner: string;
  readonly scope: readonly string[];
  /** ISO 8601, UTC. */
  readonly expires?: string;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly note?: string;
}

/** The options of `token issue`, `--env` aside. */
export function issueOptions(): Option[] {
  const { partner, note } = tokenRecordSchema.shape;
  return [
    new Option('--partner <name>', 'who will hold the token')
      .argParser(textOf('--partner', partner.maxLength))
      .makeOptionMandatory(),
    new Option('--scope <scope>', 'domain:action:route, * at any level; repeatable')
      .argParser(collectScope)
      .default([], READ_STORES),
    new Option(
      '--expires <date>',
      'end of its life: 2027-01-31 (0:00 UTC) or 2027-01-31T12:00:00Z',
    ).argParser(readExpiry),
    ...['source', 'medium', 'campaign'].map((name) =>
      new Option(
        `--utm-${name} <value>`,
        `utm_${name} of every page URL the holder receives`,
      ).argParser(textOf(`--utm-${name}`, utmSchema.shape.utm_source.unwrap().maxLength)),
    ),
    new Option('--note <text>', 'for operators, shown by list').argParser(
      textOf('--note', note.unwrap().maxLength),
    ),
  ];
}

/** The attribution that the options ask for, or null. */
export function utmOf({ utmSource, utmMedium, utmCampaign }: IssueOptions): Utm | null {
  const utm: Utm = {
    ...(utmSource === undefined ? {} : { utm_source: utmSource }),
    ...(utmMedium === undefined ? {} : { utm_medium: utmMedium }),
    ...(utmCampaign === undefined ? {} : { utm_campaign: utmCampaign }),
  };
  return Object.keys(utm).length === 0 ? null : utm;
}

function collectScope(scope: string, previous: readonly string[]): string[] {
  const fault = scopeFault(scope);
  if (fault !== null) throw new InvalidArgumentError(`${fault}.`);
  return [...new Set([...previous, scope])];
}

function readExpiry(text: string): string {
  try {
    return parseExpiry(text, Date.now());
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

/** What is no text for a line: control characters, line ends, and what turns the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Reads a text of one line. It is not repeated in refusals: it may be anything. */
function textOf(option: string, longest: number | null): (text: string) => string {
  return (text) => {
    if (UNPRINTABLE.test(text)) {
      throw new UsageError(`${option} has a control character or a line break`);
    }
    if (text.trim() === '') throw new UsageError(`${option} is blank`);
    if (longest !== null && text.length > longest) {
      const got = `${option}: got ${text.length} characters`;
      throw new UsageError(`${got}, expected at most ${longest}`);
    }
    return text;
  };
}
