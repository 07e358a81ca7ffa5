/** An isolate that tokens are presented to. Nothing is published, and no guess is one too many. */
import { expect, vi } from 'vitest';
import type { Environment } from '../../../src/auth/token.ts';
import { LIST, openStage } from '../../support/worker/harness.ts';

/** What comes of a token that is let in. */
export const LET_IN = 'snapshot_missing';

export function openGate(ENVIRONMENT: Environment = 'development') {
  const stage = openStage({ ENVIRONMENT });
  /** The problem that every request ends in. */
  async function problemOf(presented: string | HeadersInit) {
    const headers = typeof presented === 'string' ? { 'x-access-token': presented } : presented;
    const response = await stage.request(LIST, { headers });
    expect(response.headers.get('www-authenticate')).toBe(
      response.status === 401
        ? 'ApiKey realm="rental-store-directory", header="x-access-token"'
        : null,
    );
    return response.json<{ code: string; detail: string }>();
  }
  const codeOf = async (presented: string | HeadersInit) => (await problemOf(presented)).code;
  return { read: vi.spyOn(stage.env.TOKENS, 'get'), problemOf, codeOf };
}
