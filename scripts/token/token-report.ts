/**
 * What commands say of tokens: for people as text, for machines as JSON, never a hash. Of a new one alone the
 * secret: it is printed, or written to a file that its owner alone can read.
 */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { UTM_PARAMETERS, type Utm } from '../../src/auth/token-record.ts';
import { CommandError, cannotWrite } from '../cli/command-error.ts';
import { type PlaceOptions, placeName } from '../cli/common-options.ts';
import { formatTable } from '../cli/output.ts';
import type { CommandResult } from '../cli/run-command.ts';
import type { IssuedToken } from './issue-token.ts';
import { factsOf, type TokenFacts } from './stored-token.ts';

const HEADER = ['ID', 'STATE', 'PARTNER', 'SCOPES', 'CREATED', 'EXPIRES', 'UTM', 'NOTE'];

export function describeTokens(tokens: readonly TokenFacts[], place: string): string {
  if (tokens.length === 0) return `${place}: no tokens`;
  return `${place}:\n${formatTable([HEADER, ...tokens.map(tableRow)])}`;
}

/** Describes a token on lines of its own. */
export function describeToken(token: TokenFacts): string {
  const state = [
    ['id', token.id],
    ['state', token.state],
  ];
  if (token.state === 'damaged') return formatTable(state);
  return formatTable([
    ...state,
    ['partner', token.partner],
    ['scopes', token.scopes.join(', ')],
    ['created', token.createdAt],
    ['expires', token.expiresAt ?? 'never'],
    ...(token.revokedAt === null ? [] : [['revoked', token.revokedAt]]),
    ...(token.replaces === undefined ? [] : [['replaces', token.replaces]]),
    ...(token.replacedBy.length === 0 ? [] : [['replaced by', token.replacedBy.join(', ')]]),
    ...(token.utm === null ? [] : [['utm', utmText(token.utm)]]),
    ...(token.note === undefined ? [] : [['note', token.note]]),
  ]);
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
export async function openTokenFile(path: string | undefined) {
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

export interface IssuedPlace extends PlaceOptions {
  /** File that the secret is written to, in the place of the result. */
  readonly out?: string;
}

/** What else a command that issues a token has to say. */
interface FurtherResult {
  readonly data?: object;
  readonly paragraphs?: readonly string[];
}

/** Returns a new token with its secret: the only result that ever holds one. */
export function issuedResult(
  issued: IssuedToken,
  options: IssuedPlace,
  { data, paragraphs = [] }: FurtherResult = {},
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
    text: () =>
      [title, `    ${out ?? token}`, describeToken(facts), advice, ...paragraphs].join('\n\n'),
    ...(isPrinted && { secret: { text: token, whenUnread: lostSecret(issued) } }),
  };
}

/** Returns what has become of a new token whose secret was not read. */
function lostSecret({ id }: IssuedToken): string {
  return `the secret of token ${id} was not read: revoke it`;
}
