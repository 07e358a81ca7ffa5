/** `token rotate`: a token is replaced by a new one. */
import { InvalidArgumentError, Option } from 'commander';
import { describeError } from '../cli/describe-error.ts';
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { defineCommand } from '../cli/run-command.ts';
import { parseTokenId } from './find-token.ts';
import { withTokenStore } from './open-store.ts';
import { type RotatedToken, rotateToken } from './rotate-token.ts';
import { keepInFile, outOption } from './token-file.ts';
import { describeIssued, issuedJson, lostSecret, tokenJson } from './token-report.ts';

const OVERLAP_HOURS = 24;
/** A year: whoever needs longer wants a second token. */
const LONGEST_OVERLAP = 8_760;

interface RotateCommandOptions extends PlaceOptions {
  /** Hours. */
  readonly overlap: number;
  /** File to write the new token to; without it, it is printed. */
  readonly out?: string;
}

export const rotateCommand = defineCommand<RotateCommandOptions>('rotate', {
  summary:
    'Replace a token: print a new one, once, with the same partner, scopes, end, UTM and note, and let the old one expire after an overlap.',
  declare: (command) => {
    command
      .argument('<id>', 'public id, or its first digits (at least 4)')
      .addOption(
        new Option('--overlap <hours>', 'how long both are accepted; 0 revokes the old one')
          .argParser(readHours)
          .default(OVERLAP_HOURS),
      );
    declarePlace(command, 'whose tokens');
    command.addOption(outOption());
  },
  examples: [
    ['0f3a5c7e9b1d --env production --remote', 'the partner has a day to change over'],
    ['0f3a5c7e9b1d --overlap 0 --env production --remote', 'for a token that has leaked'],
  ],
  run: async (options, context, argument = '') => {
    const { env, overlap, out } = options;
    const id = parseTokenId(argument);
    const rotate = () =>
      withTokenStore(options, context, async (store) => {
        const work = rotateToken(store, { environment: env, id, overlapHours: overlap });
        return [await work, store.now()] as const;
      });
    const [rotated, now] = await keepInFile(out, rotate, ([{ issued }]) => issued);
    const { issued, replaced, others, failure } = rotated;
    return {
      data: {
        environment: env,
        ...issuedJson(issued, now, out),
        replaces: tokenJson(replaced, now),
        others,
        ...(failure === null ? {} : { failure: failureJson(failure) }),
      },
      text: () =>
        [
          describeIssued(issued, placeName(options), out),
          describeReplaced(rotated, options),
          ...(others.length === 0 ? [] : [describeOthers(rotated)]),
        ].join('\n\n'),
      // The token is there and printed, so this is no error; but the work is half done.
      failed: failure !== null,
      ...(out === undefined ? { unread: lostSecret(issued), secret: issued.token } : {}),
    };
  },
});

function describeReplaced(
  { issued, replaced: { id, known }, failure }: RotatedToken,
  options: PlaceOptions,
): string {
  if (failure !== null) {
    return [
      `It was to replace ${id}, which could not be ended and is accepted as before: ${describeError(failure).message}`,
      'When the partner has changed over:',
      '',
      `  npm run token -- revoke ${id} --env ${options.env}${options.remote ? ' --remote' : ''}`,
    ].join('\n');
  }
  if (known?.revokedAt) {
    return `It replaces ${id}, which is revoked and refused everywhere within two minutes.`;
  }
  const end = known?.expiresAt ?? null;
  const replaced = `It replaces ${id}, which is accepted until ${end}.`;
  if (end !== issued.record.expiresAt) return replaced;
  return `${replaced}\nIt ends then itself, as ${id} would have.`;
}

/** Another rotation was under way, or did not come to its end. */
function describeOthers({ replaced, others }: RotatedToken): string {
  const ids = others.join(', ');
  return `In the place of ${replaced.id} there came before: ${ids}. Revoke what nobody has the secret of.`;
}

function failureJson(failure: Error) {
  const { code, message } = describeError(failure);
  return { code, message };
}

function readHours(text: string): number {
  const hours = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && hours <= LONGEST_OVERLAP) return hours;
  throw new InvalidArgumentError(`Expected hours from 0 to ${LONGEST_OVERLAP}.`);
}
