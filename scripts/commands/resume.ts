/** `snapshot resume`: publishing is allowed again. */
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { defineCommand } from '../cli/run-command.ts';
import { declareSignature, type SignatureChoice, signatureOf } from '../cli/signature-options.ts';
import { resumePublishing } from '../release/roll-back.ts';
import { withTarget } from '../storage/open-target.ts';

export const resumeCommand = defineCommand<PlaceOptions & SignatureChoice>('resume', {
  summary: 'Allow publishing again after a rollback. The live release stays live.',
  declare: (command) => {
    declareSignature(command);
    declarePlace(command);
  },
  examples: [['--env production --remote --note "export repaired"', 'lets the hourly job go on']],
  run: async (options, context) => {
    const order = { signature: signatureOf(options), ...context };
    const entry = await withTarget(options, context, (target) => resumePublishing(target, order));
    const what = entry
      ? 'publishing is allowed again'
      : 'publishing was not held, nothing was written';
    return {
      data: { environment: options.env, resumed: entry !== null },
      text: () => `${placeName(options)}: ${what}`,
    };
  },
});
