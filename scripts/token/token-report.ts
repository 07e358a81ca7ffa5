/** What commands say of tokens: for people as text, for machines as JSON. Never a secret or a hash. */
import { UTM_PARAMETERS, type Utm } from '../../src/model/utm.ts';
import { formatTable } from '../cli/table.ts';
import type { IssuedToken } from './issue-token.ts';
import { type KnownFacts, stateOf, type TokenFacts } from './token-facts.ts';

const HEADER = ['ID', 'STATE', 'PARTNER', 'SCOPES', 'CREATED', 'EXPIRES', 'UTM', 'NOTE'];

/**
 * A new token with its secret: the only output that ever holds one.
 * @param file where the secret was written instead
 */
export function describeIssued(issued: IssuedToken, place: string, file?: string): string {
  const { record } = issued;
  const lines = [
    `Token for ${record.partner} (${place}):`,
    '',
    `    ${file ?? issued.token}`,
    '',
    `id       ${issued.id}`,
    `scopes   ${record.scopes.join(', ')}`,
    `expires  ${record.expiresAt ?? 'never'}`,
    ...(record.utm ? [`utm      ${utmText(record.utm)}`] : []),
    ...(record.note === undefined ? [] : [`note     ${record.note}`]),
    '',
    file === undefined
      ? 'Copy it now: it is stored nowhere and cannot be shown again.'
      : 'The file has it, and no other place: give it to its holder, then delete the file.',
  ];
  return lines.join('\n');
}

/** What has become of a new token whose secret nobody reads. */
export function lostSecret({ id }: IssuedToken): string {
  return `nobody has read the secret of token ${id}: revoke it`;
}

/** @param now milliseconds since 1970, as everywhere here */
export function describeTokens(tokens: readonly TokenFacts[], place: string, now: number): string {
  if (tokens.length === 0) return `${place}: no tokens`;
  const table = formatTable(
    HEADER,
    tokens.map((token) => tableRow(token, now)),
  );
  return `${place}:\n${table}`;
}

/** A token on lines of its own. */
export function describeToken(token: TokenFacts, now: number): string {
  const { id, known } = token;
  const state = ['state', stateOf(token, now)];
  if (!known) return formatTable(['id', id], [state]);
  return formatTable(
    ['id', id],
    [
      state,
      ['partner', known.partner],
      ['scopes', known.scopes.join(', ')],
      ['created', known.createdAt],
      ['expires', known.expiresAt ?? 'never'],
      ...(known.revokedAt === null ? [] : [['revoked', known.revokedAt]]),
      ...(known.replaces === undefined ? [] : [['replaces', known.replaces]]),
      ...(known.replacedBy.length === 0 ? [] : [['replaced by', known.replacedBy.join(', ')]]),
      ...(known.utm ? [['utm', utmText(known.utm)]] : []),
      ...(known.note === undefined ? [] : [['note', known.note]]),
    ],
  );
}

/** A token for machines. */
export function tokenJson(token: TokenFacts, now: number) {
  return { id: token.id, state: stateOf(token, now), ...token.known };
}

/** A new token for machines, its secret included. @param file where that was written instead */
export function issuedJson(
  { id, token, record, replaces }: IssuedToken,
  now: number,
  file?: string,
) {
  const { version: _, ...facts } = record;
  const known = { ...facts, ...(replaces === null ? {} : { replaces }), replacedBy: [] };
  const secret = file === undefined ? { token } : { file };
  return { ...secret, id, state: stateOf({ known }, now), ...known };
}

function tableRow(token: TokenFacts, now: number): string[] {
  const state = stateOf(token, now);
  const { known } = token;
  if (!known) return [token.id, state, ...HEADER.slice(2).map(() => '-')];
  return [
    token.id,
    state,
    known.partner,
    known.scopes.join(',') + (known.cut?.includes('scopes') ? ',…' : ''),
    known.createdAt.slice(0, 10),
    known.expiresAt ?? 'never',
    utmCell(known),
    known.note ?? '-',
  ];
}

function utmCell({ utm, cut }: KnownFacts): string {
  return cut?.includes('utm') ? '…' : utmText(utm) || '-';
}

function utmText(utm: Utm | null): string {
  return UTM_PARAMETERS.flatMap((name) => (utm?.[name] ? [`${name}=${utm[name]}`] : [])).join(' ');
}
