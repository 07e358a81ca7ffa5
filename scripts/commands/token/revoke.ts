/** `token revoke`: a token is refused from now on. */
import { type PlaceOptions, placeName } from '../../cli/common-options.ts';
import type { CommandContext } from '../../cli/run-command.ts';
import { openTokens } from '../../storage/open-target.ts';
import { revokeToken } from '../../token/stored-token.ts';

export async function run(options: PlaceOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const { token, wasRevoked } = await revokeToken(store, id);
  const before = wasRevoked ? `had been revoked before, ${token.revokedAt}` : 'is revoked';
  return {
    data: { environment: options.env, ...token, wasRevoked },
    text: () => `${placeName(options)}: token ${token.id} of ${token.partner} ${before}.`,
  };
}
