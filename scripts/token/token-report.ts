/** What commands say of tokens: for people as text, for machines as JSON. Never a secret or a hash. */
import { UTM_PARAMETERS, type Utm } from '../../src/model/utm.ts';
import { formatTable } from '../cli/table.ts';
import type { TokenFacts } from './stored-token.ts';

const HEADER = ['ID', 'STATE', 'PARTNER', 'SCOPES', 'CREATED', 'EXPIRES', 'UTM', 'NOTE'];

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
