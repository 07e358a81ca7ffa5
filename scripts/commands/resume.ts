/** `snapshot resume`: publishing is allowed again. */
import { declareSignature, type SignatureChoice, signatureOf } from '../cli/signature-options.ts';
import { resumePublishing } from '../release/roll-back.ts';
import { defineReleaseCommand } from './placed-command.ts';

export const resumeCommand = defineReleaseCommand<SignatureChoice>('resume', {
  summary: 'Allow publishing again after a rollback. The live release stays live.',
  declare: declareSignature,
  examples: [['--env production --remote --note "export repaired"', 'lets the hourly job go on']],
  run: async (target, options, context) => {
    const order = { signature: signatureOf(options), ...context };
    const entry = await resumePublishing(target, order);
    const what = entry
      ? 'publishing is allowed again'
      : 'publishing was not held, nothing was written';
    return {
      data: { environment: options.env, resumed: entry !== null },
      text: () => `${options.place}: ${what}`,
    };
  },
});
