/** What commands say of tokens: for people as text, for machines as JSON. Never a secret or a hash. */
import { UTM_PARAMETERS, type Utm } from '../../src/model/utm.ts';
import { formatTable } from '../cli/table.ts';
import type { IssuedToken } from './issue-token.ts';
import { factsOf, type KnownToken, type TokenFacts } from './stored-token.ts';

const HEADER = ['ID', 'STATE', 'PARTNER', 'SCOPES', 'CREATED', 'EXPIRES', 'UTM', 'NOTE'];

/**
 * A new token with its secret: the only output that ever holds one.
 * @param file where the secret was written instead
 */
export function describeIssued(issued: IssuedToken, place: string, file?: string): string {
  return [
    `Token for ${issued.record.partner} (${place}):`,
    '',
    `    ${file ?? issued.token}`,
    '',
    describeToken(factsOfNew(issued)),
    '',
    file === undefined
      ? 'Copy it now: it is stored nowhere and cannot be shown again.'
      : 'The file has it, and no other place: give it to its holder, then delete the file.',
  ].join('\n');
}

function factsOfNew(issued: IssuedToken): KnownToken {
  return factsOf(issued, Date.parse(issued.record.createdAt));
}

/** What has become of a new token whose secret was not read. */
export function lostSecret({ id }: IssuedToken): string {
  return `the secret of token ${id} was not read: revoke it`;
}

/** The secret of a new token, if it is printed. @param file where it was written instead */
export function printedSecret(issued: IssuedToken, file?: string) {
  if (file !== undefined) return {};
  return { secret: { text: issued.token, whenUnread: lostSecret(issued) } };
}

export function describeTokens(tokens: readonly TokenFacts[], place: string): string {
  if (tokens.length === 0) return `${place}: no tokens`;
  return `${place}:\n${formatTable([HEADER, ...tokens.map(tableRow)])}`;
}

/** A token on lines of its own. */
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

/** A new token for machines, its secret included. @param file where that was written instead */
export function issuedJson(issued: IssuedToken, file?: string) {
  const secret = file === undefined ? { token: issued.token } : { file };
  return { ...secret, ...factsOfNew(issued) };
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
