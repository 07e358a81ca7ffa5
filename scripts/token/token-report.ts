/** What commands say of tokens: for people as text, for machines as JSON. Never a secret or a hash. */
import type { Environment } from '../../src/auth/token.ts';
import type { TokenRecord } from '../../src/auth/token-record.ts';
import { UTM_PARAMETERS } from '../../src/model/utm.ts';
import { formatTable } from '../cli/table.ts';
import type { IssuedToken } from './issue-token.ts';
import { type StoredToken, stateOf } from './stored-token.ts';

const HEADER = ['ID', 'STATE', 'PARTNER', 'SCOPES', 'CREATED', 'EXPIRES', 'UTM', 'NOTE'];

/** A new token with its secret: the only output that ever holds one. */
export function describeIssued(issued: IssuedToken, environment: Environment): string {
  const { record } = issued;
  const lines = [
    `Token for ${record.partner} in ${environment}:`,
    '',
    `    ${issued.token}`,
    '',
    `id       ${issued.id}`,
    `scopes   ${record.scopes.join(', ')}`,
    `expires  ${record.expiresAt ?? 'never'}`,
    ...(record.utm ? [`utm      ${utmText(record)}`] : []),
    ...(record.note === undefined ? [] : [`note     ${record.note}`]),
    '',
    'Copy it now: it is stored nowhere and cannot be shown again.',
  ];
  return lines.join('\n');
}

/** @param now milliseconds since 1970, as everywhere here */
export function describeTokens(tokens: readonly StoredToken[], now: number): string {
  if (tokens.length === 0) return 'No tokens.';
  return formatTable(
    HEADER,
    tokens.map((token) => tableRow(token, now)),
  );
}

/** A token on lines of its own. */
export function describeToken(token: StoredToken, now: number): string {
  const { id, record } = token;
  const state = ['state', stateOf(token, now)];
  if (!record) return formatTable(['id', id], [state]);
  return formatTable(
    ['id', id],
    [
      state,
      ['partner', record.partner],
      ['scopes', record.scopes.join(', ')],
      ['created', record.createdAt],
      ['expires', record.expiresAt ?? 'never'],
      ...(record.revokedAt === null ? [] : [['revoked', record.revokedAt]]),
      ...(record.replacedBy === undefined ? [] : [['replaced by', record.replacedBy]]),
      ...(record.utm ? [['utm', utmText(record)]] : []),
      ...(record.note === undefined ? [] : [['note', record.note]]),
    ],
  );
}

/** A token for machines. */
export function tokenJson(token: Pick<StoredToken, 'id' | 'record'>, now: number) {
  const { id, record } = token;
  const state = stateOf(token, now);
  if (!record) return { id, state };
  const { version: _, ...known } = record;
  return { id, state, ...known };
}

function tableRow(token: StoredToken, now: number): string[] {
  const state = stateOf(token, now);
  const { record } = token;
  if (!record) return [token.id, state, ...HEADER.slice(2).map(() => '-')];
  return [
    token.id,
    state,
    record.partner,
    record.scopes.join(','),
    record.createdAt.slice(0, 10),
    record.expiresAt ?? 'never',
    utmText(record) || '-',
    record.note ?? '-',
  ];
}

function utmText(record: TokenRecord): string {
  const { utm } = record;
  return UTM_PARAMETERS.flatMap((name) => (utm?.[name] ? [`${name}=${utm[name]}`] : [])).join(' ');
}
