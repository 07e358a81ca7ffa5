/**
 * The commands of `npm run token`. What they tell of tokens, to people and to machines, never has a hash, and of a new
 * one alone the secret: it is printed, or written to a file that its owner alone can read.
 */
import { type FileHandle, open, rm } from 'node:fs/promises';
import * as z from 'zod';
import { grants, READ_STORES, UTM_PARAMETERS, type Utm } from '../../src/auth/token-record.ts';
import { timestampSchema } from '../../src/model/timestamp.ts';
import { CommandError, cannotWrite, UsageError } from '../cli/command-error.ts';
import { type PlaceOptions, placeName } from '../cli/common-options.ts';
import { formatTable, shellWord, visible } from '../cli/output.ts';
import type { CommandContext, CommandResult } from '../cli/run-command.ts';
import { openTokens } from '../storage/open-target.ts';
import {
  type IssuedToken,
  issueToken,
  type RotatedToken,
  rotateToken,
} from '../token/issue-token.ts';
import {
  factsOf,
  findToken,
  readTokens,
  revokeToken,
  type TokenFacts,
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
  const stored = await readTokens(store);
  const tokens = stored.map((token) => factsOf(token, store.now()));
  return {
    data: { environment: options.env, tokens },
    text: describeTokens(tokens, placeName(options)),
  };
}

/** Runs `token show`: shows what is stored of a token. */
export async function show(options: PlaceOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const token = factsOf(await findToken(store, id), store.now());
  return {
    data: { environment: options.env, ...token },
    text: describeToken(token),
  };
}

/** Runs `token revoke`: has a token refused from now on. */
export async function revoke(options: PlaceOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const { token, wasRevoked } = await revokeToken(store, id);
  const before = wasRevoked ? `had been revoked before, ${token.revokedAt}` : 'is revoked';
  return {
    data: { environment: options.env, ...token, wasRevoked },
    text: `${placeName(options)}: token ${token.id} of ${token.partner} ${before}.`,
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
    ...issuedResult(issued, options, paragraphs, data),
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

const HEADER = ['ID', 'STATE', 'PARTNER', 'SCOPES', 'CREATED', 'EXPIRES', 'UTM', 'NOTE'];

function describeTokens(tokens: readonly TokenFacts[], place: string): string {
  if (tokens.length === 0) return `${place}: no tokens`;
  return `${place}:\n${formatTable([HEADER, ...tokens.map(tableRow)])}`;
}

/** Describes a token on lines of its own. */
function describeToken(token: TokenFacts): string {
  const rows = [
    ['id', token.id],
    ['state', token.state],
  ];
  if (token.state === 'damaged') return formatTable(rows);
  const facts = {
    partner: token.partner,
    scopes: token.scopes.join(', '),
    created: token.createdAt,
    expires: token.expiresAt ?? 'never',
    revoked: token.revokedAt,
    replaces: token.replaces,
    'replaced by': token.replacedBy.join(', '),
    utm: utmText(token.utm),
    note: token.note,
  };
  for (const [name, text] of Object.entries(facts)) if (text) rows.push([name, text]);
  return formatTable(rows);
}

function tableRow(token: TokenFacts): string[] {
  const { id, state } = token;
  if (state === 'damaged') return [id, state, ...HEADER.slice(2).map(() => '-')];
  return [
    id,
    state,
    token.partner,
    token.scopes.join(','),
    token.createdAt.slice(0, 10),
    token.expiresAt ?? 'never',
    utmText(token.utm) || '-',
    token.note ?? '-',
  ];
}

function utmText(utm: Utm | null): string {
  return UTM_PARAMETERS.flatMap((name) => (utm?.[name] ? [`${name}=${utm[name]}`] : [])).join(' ');
}

const OWNER_ALONE = 0o600;

/**
 * Opens a new file for a token before that is issued: a secret that cannot be written would be lost. `await using`
 * closes it, and removes it where no token was written.
 * @param path undefined: the token is printed, and nothing is written
 * @throws CommandError file_exists, cannot_write
 */
async function openTokenFile(path: string | undefined) {
  const file = path === undefined ? null : await createFile(path).catch(cannotWrite(path));
  let isWritten = false;
  return {
    async write(issued: IssuedToken): Promise<void> {
      if (path === undefined) return;
      const written = file?.writeFile(`${issued.token}\n`).catch(cannotWrite(path));
      await written?.catch((error) => {
        throw error instanceof CommandError ? error.at(lostSecret(issued)) : error;
      });
      isWritten = true;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await file?.close();
      if (path !== undefined && !isWritten) await rm(path, { force: true });
    },
  };
}

async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', OWNER_ALONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const message = `"${path}" is there already; name a file that is not`;
    throw new CommandError(message, 'file_exists');
  }
}

/** Returns a new token with its secret: the only result that ever holds one. */
function issuedResult(
  issued: IssuedToken,
  options: IssuedPlace,
  paragraphs: readonly string[] = [],
  data: object = {},
): CommandResult {
  const { token, record } = issued;
  const { env, out } = options;
  const facts = factsOf(issued, Date.parse(record.createdAt));
  const isPrinted = out === undefined;
  const advice = isPrinted
    ? 'Copy it now: it is stored nowhere and cannot be shown again.'
    : 'The file has it, and no other place: give it to its holder, then delete the file.';
  const title = `Token for ${record.partner} (${placeName(options)}):`;
  return {
    data: { environment: env, ...(isPrinted ? { token } : { file: out }), ...facts, ...data },
    text: [title, `    ${out ?? token}`, describeToken(facts), advice, ...paragraphs].join('\n\n'),
    ...(isPrinted && { secret: { text: token, whenUnread: lostSecret(issued) } }),
  };
}

/** Returns what has become of a new token whose secret was not read. */
function lostSecret({ id }: IssuedToken): string {
  return `the secret of token ${id} was not read: revoke it`;
}
