/** Options and arguments of the token commands, checked while they are parsed. */

import { InvalidArgumentError, Option } from 'commander';
import { READ_STORES } from '../../src/auth/scope.ts';
import { tokenRecordSchema } from '../../src/auth/token-record.ts';
import { type Utm, utmSchema } from '../../src/model/utm.ts';
import type { PlaceOptions } from '../cli/environment-option.ts';
import { oneLineText } from '../cli/one-line-text.ts';
import { parseExpiry } from './expiry.ts';
import { scopeFault } from './new-token.ts';

export interface IssueOptions extends PlaceOptions {
  readonly partner: string;
  readonly scope: readonly string[];
  /** ISO 8601, UTC. */
  readonly expires?: string;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly note?: string;
  /** File to write the token to; without it, it is printed. */
  readonly out?: string;
}

/** The options of `token issue`, `--env` aside. */
export function issueOptions(): Option[] {
  const { partner, note } = tokenRecordSchema.shape;
  return [
    new Option('--partner <name>', 'who will hold the token')
      .argParser(oneLineText('--partner', partner.maxLength))
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
      ).argParser(oneLineText(`--utm-${name}`, utmSchema.shape.utm_source.unwrap().maxLength)),
    ),
    new Option('--note <text>', 'for operators, shown by list').argParser(
      oneLineText('--note', note.unwrap().maxLength),
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
