/** `token rotate`: a token is replaced by a new one. */
import type { PlaceOptions } from '../../cli/environment-option.ts';
import { integerFrom } from '../../cli/option-values.ts';
import { shellWord } from '../../cli/shell-word.ts';
import { issuedResult, keepInFile } from '../../token/issued-token.ts';
import { type RotatedToken, rotateToken } from '../../token/rotate-token.ts';
import { defineTokenCommand } from '../placed-command.ts';
import { declareId, declareOut, type OutOptions } from './options.ts';

const OVERLAP_HOURS = 24;
/** A year: a longer overlap is a second token. */
const LONGEST_OVERLAP = 8_760;

interface RotateCommandOptions extends OutOptions {
  /** Hours. */
  readonly overlap: number;
}

export const rotateCommand = defineTokenCommand<RotateCommandOptions>('rotate', {
  summary:
    'Replace a token by a new one with the same partner, scopes, expiry, UTM parameters and note, and print that. The old token works until the overlap ends.',
  declare: (command) => {
    command.option(
      '--overlap <hours>',
      'hours in which both tokens work; 0 revokes the old one',
      integerFrom(0, LONGEST_OVERLAP),
      OVERLAP_HOURS,
    );
    declareId(command);
    declareOut(command);
  },
  examples: [
    ['0f3a5c7e9b1d --env production --remote', 'gives the partner a day to change over'],
    ['0f3a5c7e9b1d --overlap 0 --env production --remote', 'replaces a token that has leaked'],
  ],
  run: async (store, options, _context, id = '') => {
    const { env, overlap, out } = options;
    const rotated = await keepInFile(out, () => rotateToken(store, env, id, overlap));
    const { issued, replaced, others, failure } = rotated;
    const data = { replaces: replaced, others, ...(failure && { failure }) };
    const paragraphs = [describeReplaced(rotated, options)];
    // Another rotation was under way, or did not come to its end.
    if (others.length > 0) {
      paragraphs.push(
        `Other rotations of ${replaced.id} have issued ${others.join(', ')}. Revoke those whose secret is lost.`,
      );
    }
    return {
      ...issuedResult(issued, options, { data, paragraphs }),
      // The token is there and printed, so this is no error; but the work is half done.
      failed: failure !== null,
    };
  },
});

function describeReplaced(
  { issued, replaced: { id, revokedAt, expiresAt }, failure }: RotatedToken,
  options: PlaceOptions,
): string {
  if (failure !== null) {
    return [
      `It was to replace ${id}, which could not be ended and is still accepted: ${failure.message}`,
      'When the partner has changed over:',
      '',
      `  npm run token -- revoke ${shellWord(id)} --env ${options.env}${options.remote ? ' --remote' : ''}`,
    ].join('\n');
  }
  if (revokedAt !== null) {
    return `It replaces ${id}, which is revoked and refused everywhere within two minutes.`;
  }
  const replaced = `It replaces ${id}, which is accepted until ${expiresAt}.`;
  if (expiresAt !== issued.record.expiresAt) return replaced;
  return `${replaced}\nThe new token expires then too, as ${id} would have.`;
}
