/** `token issue`: a new token, printed or written to a file, once. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { READ_STORES } from '../../../src/auth/scope.ts';
import { tokenRecordSchema } from '../../../src/auth/token-record.ts';
import { timestampSchema } from '../../../src/model/timestamp.ts';
import { type Utm, utmSchema } from '../../../src/model/utm.ts';
import { textOption } from '../../cli/option-values.ts';
import { issueToken } from '../../token/issue-token.ts';
import { issuedResult, keepInFile } from '../../token/issued-token.ts';
import { scopeFault } from '../../token/new-token.ts';
import { defineTokenCommand } from '../placed-command.ts';
import { declareOut, type OutOptions } from './options.ts';

interface IssueOptions extends OutOptions {
  readonly partner: string;
  readonly scope: readonly string[];
  /** ISO 8601, UTC. */
  readonly expires?: string;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly note?: string;
}

/** A date (its first instant in UTC) or a date-time with `Z` or an offset. */
const expirySchema = z.union([z.iso.date(), timestampSchema]);

export const issueCommand = defineTokenCommand<IssueOptions>('issue', {
  summary: 'Issue a token and print it. It cannot be shown again.',
  declare: (command) => {
    declareRecord(command);
    declareOut(command);
  },
  examples: [
    ['--env staging --remote --partner "Vélo Map"', 'issues a staging token that reads stores'],
    [
      '--env production --remote --partner "Vélo Map" --out velo-map.token',
      'writes the token to a file, so that no screen and no log shows it',
    ],
    [
      '--env production --remote --partner "Ski Guide" --expires 2027-05-01 --utm-source skiguide',
      'issues a production token for one season, with attribution',
    ],
  ],
  run: async (store, options) => {
    const { env, partner, scope, expires, note, out } = options;
    const order = {
      partner,
      scopes: scope.length > 0 ? [...scope] : [READ_STORES],
      expiresAt: expires ?? null,
      utm: utmOf(options),
      note,
    };
    const { issued } = await keepInFile(out, async () => {
      return { issued: await issueToken(store, env, order) };
    });
    return issuedResult(issued, options);
  },
});

function declareRecord(command: Command): void {
  const { partner, note } = tokenRecordSchema.shape;
  const scope = new Option(
    '--scope <scope>',
    'what the token may do, as domain:action:route, with * for any; can be repeated',
  );
  command
    .addOption(
      textOption(
        '--partner <name>',
        'partner who will hold the token',
        partner.maxLength,
      ).makeOptionMandatory(),
    )
    .addOption(scope.argParser(collectScope).default([], READ_STORES))
    .option(
      '--expires <date>',
      'when the token expires: 2027-01-31 (0:00 UTC) or 2027-01-31T12:00:00Z',
      readExpiry,
    );
  const { maxLength } = utmSchema.shape.utm_source.unwrap();
  for (const name of ['source', 'medium', 'campaign']) {
    const description = `utm_${name} in every page URL that the partner receives`;
    command.addOption(textOption(`--utm-${name} <value>`, description, maxLength));
  }
  command.addOption(
    textOption('--note <text>', 'note for operators, shown by token list', note.unwrap().maxLength),
  );
}

/** The attribution that the options ask for, or null. */
function utmOf({ utmSource, utmMedium, utmCampaign }: IssueOptions): Utm | null {
  const utm = { utm_source: utmSource, utm_medium: utmMedium, utm_campaign: utmCampaign };
  return Object.values(utm).every((value) => value === undefined) ? null : utm;
}

function collectScope(scope: string, previous: readonly string[]): string[] {
  const fault = scopeFault(scope);
  if (fault !== null) throw new InvalidArgumentError(`${fault}.`);
  return [...new Set([...previous, scope])];
}

/** Reads a future instant. @returns ISO 8601 in UTC */
function readExpiry(text: string): string {
  if (!expirySchema.safeParse(text).success) {
    throw new InvalidArgumentError(
      `got "${text}", expected a date (2027-01-31) or a date-time with a zone (2027-01-31T12:00:00Z).`,
    );
  }
  const instant = new Date(text);
  if (instant.getTime() <= Date.now()) throw new InvalidArgumentError(`"${text}" has passed.`);
  return instant.toISOString();
}
