/** `token rotate`: a token is replaced by a new one. */
import { InvalidArgumentError, Option } from 'commander';
import { environmentOption, type PlaceOptions, remoteOption } from '../cli/environment-option.ts';
import { defineCommand } from '../cli/run-command.ts';
import { parseTokenId } from './find-token.ts';
import { withTokenStore } from './open-store.ts';
import { type RotatedToken, rotateToken } from './rotate-token.ts';
import { describeIssued, tokenJson } from './token-report.ts';

const OVERLAP_HOURS = 24;
/** A year: whoever needs longer wants a second token. */
const LONGEST_OVERLAP = 8_760;

interface RotateCommandOptions extends PlaceOptions {
  /** Hours. */
  readonly overlap: number;
}

export const rotateCommand = defineCommand<RotateCommandOptions>({
  name: 'rotate',
  summary:
    'Replace a token: print a new one, once, with the same partner, scopes, end, UTM and note, and let the old one expire after an overlap.',
  declare: (command) => {
    command
      .argument('<id>', 'public id, or its first digits (at least 4)')
      .addOption(
        new Option('--overlap <hours>', 'how long both are accepted; 0 revokes the old one')
          .argParser(readHours)
          .default(OVERLAP_HOURS),
      )
      .addOption(environmentOption('whose tokens'))
      .addOption(remoteOption());
  },
  examples: [
    ['0f3a5c7e9b1d --env production --remote', 'the partner has a day to change over'],
    ['0f3a5c7e9b1d --overlap 0 --env production --remote', 'for a token that has leaked'],
  ],
  run: async (options, context, argument = '') => {
    const { env, overlap } = options;
    const id = parseTokenId(argument);
    const now = Date.now();
    const rotated = await withTokenStore(options, context, (store) =>
      rotateToken(store, { environment: env, id, overlapHours: overlap, now }),
    );
    const { issued, replaced } = rotated;
    return {
      data: {
        environment: env,
        token: issued.token,
        ...tokenJson(issued, now),
        replaces: tokenJson(replaced, now),
      },
      text: () => `${describeIssued(issued, env)}\n\n${describeReplaced(rotated)}`,
    };
  },
});

function describeReplaced({ issued, replaced: { id, record } }: RotatedToken): string {
  if (record.revokedAt !== null) {
    return `It replaces ${id}, which is revoked and refused everywhere within two minutes.`;
  }
  const replaced = `It replaces ${id}, which is accepted until ${record.expiresAt}.`;
  if (record.expiresAt !== issued.record.expiresAt) return replaced;
  return `${replaced}\nIt ends then itself, as ${id} would have.`;
}

function readHours(text: string): number {
  const hours = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && hours <= LONGEST_OVERLAP) return hours;
  throw new InvalidArgumentError(`Expected hours from 0 to ${LONGEST_OVERLAP}.`);
}
