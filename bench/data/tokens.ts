/** Tokens made for one run of the benchmark, and their records as KV holds them. */

import { generateToken } from '../../scripts/token/new-token.ts';
import { hashToken, tokenKey } from '../../src/auth/token.ts';
import type { TokenRecord } from '../../src/auth/token-record.ts';
import type { Utm } from '../../src/model/utm.ts';

/** Tokens by what they are for. */
export type TokenName = PartnerName | 'unknown';

/** Those with a record. */
export const PARTNERS = ['plain', 'second', 'third', 'fourth', 'attributed'] as const;
export type PartnerName = (typeof PARTNERS)[number];

const CREATED_AT = '2026-10-01T00:00:00Z';

const ATTRIBUTION: Utm = { utm_source: 'bench', utm_medium: 'partner', utm_campaign: 'autumn' };

/** As they are sent. */
export type TokenTexts = Readonly<Record<TokenName, string>>;

export interface BenchTokens {
  readonly texts: TokenTexts;
  /** Values of the TOKENS namespace by key; the unknown token has none. */
  readonly records: ReadonlyMap<string, TokenRecord>;
  /** What the plain contenders know: attribution by token text. */
  readonly known: Readonly<Record<string, Utm | null>>;
}

export async function makeTokens(): Promise<BenchTokens> {
  const names: readonly TokenName[] = [...PARTNERS, 'unknown'];
  const pairs = names.map((name) => [name, generateToken('production')] as const);
  const texts = Object.fromEntries(pairs) as TokenTexts;
  const known: Record<string, Utm | null> = {};
  const records = new Map<string, TokenRecord>();
  for (const name of PARTNERS) {
    const utm = name === 'attributed' ? ATTRIBUTION : null;
    known[texts[name]] = utm;
    records.set(tokenKey(await hashToken(texts[name])), recordOf(utm));
  }
  return { texts, records, known };
}

function recordOf(utm: Utm | null): TokenRecord {
  return {
    version: 1,
    partner: 'benchmark',
    scopes: ['stores:read:GET'],
    createdAt: CREATED_AT,
    expiresAt: null,
    revokedAt: null,
    utm,
  };
}
