/** `snapshot resume`: publishing is allowed again. */
import {
  type PlaceOptions,
  placeName,
  type SignatureChoice,
  signatureOf,
} from '../cli/common-options.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { resumePublishing } from '../release/roll-back.ts';
import { openTarget } from '../storage/open-target.ts';

export async function run(options: SignatureChoice & PlaceOptions, context: CommandContext) {
  await using target = await openTarget(options, context);
  const order = { signature: signatureOf(options), ...context };
  const entry = await resumePublishing(target, order);
  const what = entry
    ? 'publishing is allowed again'
    : 'publishing was not held, nothing was written';
  return {
    data: { environment: options.env, resumed: entry !== null },
    text: () => `${placeName(options)}: ${what}`,
  };
}
