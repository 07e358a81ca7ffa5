/** `token show`: what is stored of a token. */
import type { PlaceOptions } from '../../cli/common-options.ts';
import type { CommandContext } from '../../cli/run-command.ts';
import { openTokens } from '../../storage/open-target.ts';
import { factsOf, findToken } from '../../token/stored-token.ts';
import { describeToken } from '../../token/token-report.ts';

export async function run(options: PlaceOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const token = factsOf(await findToken(store, id), store.now());
  return {
    data: { environment: options.env, ...token },
    text: () => describeToken(token),
  };
}
