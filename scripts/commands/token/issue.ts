/** `token issue`: a new token, printed or written to a file, once. */
import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { READ_STORES } from '../../../src/auth/scope.ts';
import { tokenRecordSchema } from '../../../src/auth/token-record.ts';
import { timestampSchema } from '../../../src/model/timestamp.ts';
import { type Utm, utmSchema } from '../../../src/model/utm.ts';
import { declarePlace, placeName } from '../../cli/environment-option.ts';
import { oneLineText } from '../../cli/option-values.ts';
import { defineCommand } from '../../cli/run-command.ts';
import { withTokenStore } from '../../storage/open-target.ts';
import { issueToken } from '../../token/issue-token.ts';
import { scopeFault } from '../../token/new-token.ts';
import { keepInFile } from '../../token/token-file.ts';
import { describeIssued, issuedJson, lostSecret } from '../../token/token-report.ts';
import { type OutOptions, outOption } from './options.ts';

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

export const issueCommand = defineCommand<IssueOptions>('issue', {
  summary: 'Issue a token and print it, once',
  declare: (command) => {
    declarePlace(command, 'whose tokens');
    for (const option of issueOptions()) command.addOption(option);
    command.addOption(outOption());
  },
  examples: [
    ['--env staging --remote --partner "Vélo Map"', 'a staging token that reads stores'],
    [
      '--env production --remote --partner "Vélo Map" --out velo-map.token',
      'a token that no log and no screen shows',
    ],
    [
      '--env production --remote --partner "Ski Guide" --expires 2027-05-01 --utm-source skiguide',
      'a production token for one season, with attribution',
    ],
  ],
  run: async (options, context) => {
    const { env, partner, scope, expires, note, out } = options;
    const order = {
      partner,
      scopes: scope.length > 0 ? [...scope] : [READ_STORES],
      expiresAt: expires ?? null,
      utm: utmOf(options),
      ...(note === undefined ? {} : { note }),
    };
    const { issued } = await keepInFile(out, () =>
      withTokenStore(options, context, async (store) => {
        return { issued: await issueToken(store, env, order, Date.now()) };
      }),
    );
    return {
      data: { environment: env, ...issuedJson(issued, out) },
      text: () => describeIssued(issued, placeName(options), out),
      ...(out === undefined ? { unread: lostSecret(issued), secret: issued.token } : {}),
    };
  },
});

function issueOptions(): Option[] {
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
function utmOf({ utmSource, utmMedium, utmCampaign }: IssueOptions): Utm | null {
  const given = { utm_source: utmSource, utm_medium: utmMedium, utm_campaign: utmCampaign };
  const utm: Utm = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  return Object.keys(utm).length === 0 ? null : utm;
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
