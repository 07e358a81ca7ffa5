/** `token issue`: a new token, printed or written to a file, once. */
import * as z from 'zod';
import { READ_STORES } from '../../../src/auth/scope.ts';
import { timestampSchema } from '../../../src/model/timestamp.ts';
import type { Utm } from '../../../src/model/utm.ts';
import { UsageError } from '../../cli/command-error.ts';
import { visible } from '../../cli/output.ts';
import type { CommandContext } from '../../cli/run-command.ts';
import { openTokens } from '../../storage/open-target.ts';
import { issueToken } from '../../token/issue-token.ts';
import { type IssuedPlace, issuedResult, openTokenFile } from '../../token/issued-token.ts';
import { scopeFault } from '../../token/new-token.ts';

interface IssueOptions extends IssuedPlace {
  readonly partner: string;
  readonly scope: readonly string[];
  readonly expires?: string;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly note?: string;
}

/** A date (its first instant in UTC) or a date-time with `Z` or an offset. */
const expirySchema = z.union([z.iso.date(), timestampSchema]);

export async function run(options: IssueOptions, context: CommandContext) {
  const { env, partner, scope, expires, note, out } = options;
  const order = {
    partner,
    scopes: readScopes(scope),
    expiresAt: expires === undefined ? null : readExpiry(expires),
    utm: utmOf(options),
    note,
  };
  await using store = await openTokens(options, context);
  await using file = await openTokenFile(out);
  const issued = await issueToken(store, env, order);
  await file.write(issued);
  return issuedResult(issued, options);
}

/** The attribution that the options ask for, or null. */
function utmOf({ utmSource, utmMedium, utmCampaign }: IssueOptions): Utm | null {
  const utm = { utm_source: utmSource, utm_medium: utmMedium, utm_campaign: utmCampaign };
  return Object.values(utm).every((value) => value === undefined) ? null : utm;
}

/** @throws UsageError when no operation needs one of them */
function readScopes(scopes: readonly string[]): string[] {
  const faults = scopes.flatMap((scope) => scopeFault(scope) ?? []);
  if (faults[0] !== undefined) throw new UsageError(`--scope: ${visible(faults[0])}`);
  return scopes.length > 0 ? [...new Set(scopes)] : [READ_STORES];
}

/** Reads a future instant, and returns it as ISO 8601 in UTC. @throws UsageError */
function readExpiry(text: string): string {
  if (!expirySchema.safeParse(text).success) {
    throw new UsageError(
      `--expires: got "${visible(text)}", expected a date (2027-01-31) or a date-time with a zone (2027-01-31T12:00:00Z)`,
    );
  }
  const instant = new Date(text);
  if (instant.getTime() <= Date.now()) throw new UsageError(`--expires: "${text}" has passed`);
  return instant.toISOString();
}
