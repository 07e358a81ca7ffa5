/** The commands of `npm run token`. */
import * as z from 'zod';
import { READ_STORES, type Utm } from '../../src/auth/token-record.ts';
import { timestampSchema } from '../../src/model/timestamp.ts';
import { UsageError } from '../cli/command-error.ts';
import { type PlaceOptions, placeName } from '../cli/common-options.ts';
import { shellWord, visible } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { openTokens } from '../storage/open-target.ts';
import { issueToken, type RotatedToken, rotateToken } from '../token/issue-token.ts';
import { scopeFault } from '../token/new-token.ts';
import { factsOf, findToken, readTokens, revokeToken } from '../token/stored-token.ts';
import {
  describeToken,
  describeTokens,
  type IssuedPlace,
  issuedResult,
  openTokenFile,
} from '../token/token-report.ts';

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

/** Runs `token issue`: makes a token, which is printed or written to a file once. */
export async function issue(options: IssueOptions, context: CommandContext) {
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

/** Returns the attribution that the options ask for, or null. */
function utmOf({ utmSource, utmMedium, utmCampaign }: IssueOptions): Utm | null {
  const utm = { utm_source: utmSource, utm_medium: utmMedium, utm_campaign: utmCampaign };
  return Object.values(utm).every((value) => value === undefined) ? null : utm;
}

/** Checks scopes. @throws UsageError when no operation needs one of them */
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

/** Runs `token list`: shows the tokens that are stored. */
export async function list(options: PlaceOptions, context: CommandContext) {
  await using store = await openTokens(options, context);
  const stored = await readTokens(store);
  const tokens = stored.map((token) => factsOf(token, store.now()));
  return {
    data: { environment: options.env, tokens },
    text: () => describeTokens(tokens, placeName(options)),
  };
}

/** Runs `token show`: shows what is stored of a token. */
export async function show(options: PlaceOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const token = factsOf(await findToken(store, id), store.now());
  return {
    data: { environment: options.env, ...token },
    text: () => describeToken(token),
  };
}

/** Runs `token revoke`: has a token refused from now on. */
export async function revoke(options: PlaceOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const { token, wasRevoked } = await revokeToken(store, id);
  const before = wasRevoked ? `had been revoked before, ${token.revokedAt}` : 'is revoked';
  return {
    data: { environment: options.env, ...token, wasRevoked },
    text: () => `${placeName(options)}: token ${token.id} of ${token.partner} ${before}.`,
  };
}

interface RotateOptions extends IssuedPlace {
  /** Hours. */
  readonly overlap: number;
}

/** Runs `token rotate`: replaces a token by a new one. */
export async function rotate(options: RotateOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const { env, overlap, out } = options;
  await using file = await openTokenFile(out);
  const rotated = await rotateToken(store, env, id, overlap);
  const { issued, replaced, others, failure } = rotated;
  await file.write(issued);
  const data = { replaces: replaced, others, ...(failure && { failure }) };
  const paragraphs = [describeReplaced(rotated, options)];
  // Another rotation was under way, or did not come to its end.
  if (others.length > 0) {
    paragraphs.push(
      `Other rotations of ${replaced.id} have issued ${others.join(', ')}. Revoke those whose secret is lost.`,
    );
  }
  return {
    ...issuedResult(issued, options, { data, paragraphs }),
    // The token is there and printed, so this is no error; but the work is half done.
    failed: failure !== null,
  };
}

function describeReplaced(
  { issued, replaced: { id, revokedAt, expiresAt }, failure }: RotatedToken,
  options: PlaceOptions,
): string {
  if (failure !== null) {
    return [
      `It was to replace ${id}, which could not be ended and is still accepted: ${failure.message}`,
      'When the partner has changed over:',
      '',
      `  npm run token -- revoke ${shellWord(id)} --env ${options.env}${options.remote ? ' --remote' : ''}`,
    ].join('\n');
  }
  if (revokedAt !== null) {
    return `It replaces ${id}, which is revoked and refused everywhere within two minutes.`;
  }
  const replaced = `It replaces ${id}, which is accepted until ${expiresAt}.`;
  if (expiresAt !== issued.record.expiresAt) return replaced;
  return `${replaced}\nThe new token expires then too, as ${id} would have.`;
}
