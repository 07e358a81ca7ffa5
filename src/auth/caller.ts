/** Whom a token stands for, as the rest of the service sees it. */
import { UTM_PARAMETERS, type Utm } from '../model/utm.ts';
import type { TokenRecord } from './token-record.ts';

export interface Caller {
  /** Public id of the token: safe to log. */
  readonly tokenId: string;
  readonly partner: string;
  /** Attribution of page URLs; null when the token carries none. */
  readonly utm: Utm | null;
  /** Equal for equal attributions and for no others; empty without any. Part of the ETag. */
  readonly utmKey: string;
}

export function callerOf(tokenId: string, record: TokenRecord): Caller {
  const values = UTM_PARAMETERS.map((name) => record.utm?.[name] ?? null);
  const utm = values.every((value) => value === null) ? null : record.utm;
  return {
    tokenId,
    partner: record.partner,
    utm,
    utmKey: utm ? JSON.stringify(values) : '',
  };
}
