/**
 * The commands of `npm run token`. What they tell of tokens, to people and to machines, never has a hash, and of a new
 * one alone the secret: it is printed, or written to a file that its owner alone can read.
 */
import { open, rm } from 'node:fs/promises';
import * as z from 'zod';
import { grants, READ_STORES, UTM_PARAMETERS, type Utm } from '../../src/auth/token-record.ts';
import { timestampSchema } from '../../src/model/timestamp.ts';
import { CommandError, cannotWrite, reasonOf, UsageError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/common-options.ts';
import { formatTable, visible } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { openTokens } from '../storage/open-target.ts';
import { type IssuedToken, issueToken, rotateToken } from '../token/issue-token.ts';
import {
  factsOf,
  findToken,
  readTokens,
  type TokenFacts,
  writeRevocation,
} from '../token/stored-token.ts';

interface IssuedPlace extends PlaceOptions {
  /** File that the secret is written to, in the place of the result. */
  readonly out?: string;
}

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
  await using file = out === undefined ? null : await openTokenFile(out);
  const issued = await issueToken(store, env, order);
  await file?.write(issued);
  return issuedResult(issued, options);
}

/** Returns the attribution that the options ask for, or null. */
function utmOf({ utmSource, utmMedium, utmCampaign }: IssueOptions): Utm | null {
  const utm = { utm_source: utmSource, utm_medium: utmMedium, utm_campaign: utmCampaign };
  return Object.values(utm).every((value) => value === undefined) ? null : utm;
}

/** Checks scopes. @throws UsageError when no operation needs one of them */
function readScopes(scopes: readonly string[]): string[] {
  const unknown = scopes.find((scope) => !grants([scope], READ_STORES));
  if (unknown !== undefined) {
    throw new UsageError(
      `--scope: got "${visible(unknown)}", expected ${READ_STORES}, which every operation needs, or * in the place of any of its words`,
    );
  }
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
  const { tokens, damaged } = await readTokens(store);
  const facts = tokens.map((token) => factsOf(token, store.now()));
  const refused = damaged.map((id) => ({ id, state: 'damaged' }));
  const rows = [
    COLUMNS.map((name) => name.toUpperCase()),
    ...refused.map(({ id, state }) => [id, state]),
    ...facts.map(cellsOf).map((cells) => COLUMNS.map((name) => cells[name] || '-')),
  ];
  return {
    data: { tokens: [...refused, ...facts] },
    text: rows.length > 1 ? `tokens\n${formatTable(rows)}` : 'no tokens',
  };
}

/** Runs `token show`: shows what is stored of a token. */
export async function show(options: PlaceOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const token = factsOf(await findToken(store, id), store.now());
  return {
    data: token,
    text: `the token\n${describeToken(token)}`,
  };
}

/** Runs `token revoke`: has a token refused, everywhere within two minutes. One that was revoked before stays as it is. */
export async function revoke(options: PlaceOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const found = await findToken(store, id);
  const isRevoked = found.record.revokedAt !== null;
  const token = factsOf(isRevoked ? found : await writeRevocation(store, found), store.now());
  return {
    data: token,
    text: `token ${token.id} of ${token.partner} is revoked, since ${token.revokedAt}.`,
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
  await using file = out === undefined ? null : await openTokenFile(out);
  const { issued, replaced, failure } = await rotateToken(store, env, id, overlap);
  await file?.write(issued);
  const result = issuedResult(issued, options);
  return {
    ...result,
    data: { ...result.data, replaces: replaced, ...(failure && { failure }) },
    text: `${result.text}\n\n${describeReplaced(replaced, failure)}`,
    // The token is there and printed, so this is no error; but the work is half done.
    failed: failure !== null,
  };
}

function describeReplaced(
  { id, revokedAt, expiresAt }: TokenFacts,
  failure: string | null,
): string {
  if (failure !== null) {
    return `It was to replace ${id}, which could not be ended and is still accepted: ${failure}\nRevoke ${id} when the partner has changed over.`;
  }
  return revokedAt === null
    ? `It replaces ${id}, which is accepted until ${expiresAt}.`
    : `It replaces ${id}, which is revoked and refused everywhere within two minutes.`;
}

/** Cells that lists show. */
const COLUMNS = ['id', 'state', 'partner', 'scopes', 'created', 'expires', 'utm', 'note'] as const;

/** Returns what people read of a token, by the names that they read. */
function cellsOf({ utm, ...token }: TokenFacts) {
  return {
    id: token.id,
    state: token.state,
    partner: token.partner,
    scopes: token.scopes.join(', '),
    created: token.createdAt,
    expires: token.expiresAt ?? 'never',
    revoked: token.revokedAt,
    replaces: token.replaces,
    'replaced by': token.replacedBy.join(', '),
    utm: UTM_PARAMETERS.flatMap((name) => (utm?.[name] ? [`${name}=${utm[name]}`] : [])).join(' '),
    note: token.note,
  };
}

/** Describes a token on lines of its own. */
function describeToken(token: TokenFacts): string {
  const cells = Object.entries(cellsOf(token));
  return formatTable(cells.flatMap(([name, text]) => (text ? [[name, text]] : [])));
}

const OWNER_ALONE = 0o600;

/**
 * Opens a new file for a token before that is issued: a secret that cannot be written would be lost. `await using`
 * closes it, and removes it where no token was written.
 * @throws CommandError cannot_write
 */
async function openTokenFile(path: string) {
  const file = await open(path, 'wx', OWNER_ALONE).catch(cannotWrite(path));
  let isWritten = false;
  return {
    async write(issued: IssuedToken): Promise<void> {
      await file.writeFile(`${issued.token}\n`).catch((cause) => {
        const message = `${lostSecret(issued)}: cannot write "${path}": ${reasonOf(cause)}`;
        throw new CommandError(message, 'cannot_write', { cause });
      });
      isWritten = true;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await file.close();
      if (!isWritten) await rm(path);
    },
  };
}

/** Returns a new token with its secret: the only result that ever holds one. */
function issuedResult(issued: IssuedToken, options: IssuedPlace) {
  const { token, record } = issued;
  const { out } = options;
  const facts = factsOf(issued, Date.parse(record.createdAt));
  const isPrinted = out === undefined;
  const advice = isPrinted
    ? 'Copy it now: it is stored nowhere and cannot be shown again.'
    : 'The file has it, and no other place: give it to its holder, then delete the file.';
  const title = `token for ${record.partner}:`;
  return {
    data: { ...(isPrinted ? { token } : { file: out }), ...facts },
    text: [title, `    ${out ?? token}`, describeToken(facts), advice].join('\n\n'),
    ...(isPrinted && { secret: { text: token, whenUnread: lostSecret(issued) } }),
  };
}

/** Returns what has become of a new token whose secret was not read. */
function lostSecret({ id }: IssuedToken): string {
  return `the secret of token ${id} was not read: revoke it`;
}
