/** `token rotate`: a token is replaced by a new one. */
import { InvalidArgumentError, Option } from 'commander';
import { describeError } from '../../cli/describe-error.ts';
import { type PlaceOptions, placeName } from '../../cli/environment-option.ts';
import { defineCommand } from '../../cli/run-command.ts';
import { withTokenStore } from '../../storage/open-target.ts';
import { type RotatedToken, rotateToken } from '../../token/rotate-token.ts';
import { keepInFile } from '../../token/token-file.ts';
import { describeIssued, issuedJson, lostSecret } from '../../token/token-report.ts';
import { declareId, type OutOptions, outOption } from './options.ts';

const OVERLAP_HOURS = 24;
/** A year: a longer overlap is a second token. */
const LONGEST_OVERLAP = 8_760;

interface RotateCommandOptions extends OutOptions {
  /** Hours. */
  readonly overlap: number;
}

export const rotateCommand = defineCommand<RotateCommandOptions>('rotate', {
  summary:
    'Replace a token: print a new one, once, with the same partner, scopes, end, UTM and note, and let the old one expire after an overlap.',
  declare: (command) => {
    command.addOption(
      new Option('--overlap <hours>', 'how long both are accepted; 0 revokes the old one')
        .argParser(readHours)
        .default(OVERLAP_HOURS),
    );
    declareId(command);
    command.addOption(outOption());
  },
  examples: [
    ['0f3a5c7e9b1d --env production --remote', 'the partner has a day to change over'],
    ['0f3a5c7e9b1d --overlap 0 --env production --remote', 'for a token that has leaked'],
  ],
  run: async (options, context, id = '') => {
    const { env, overlap, out } = options;
    const rotated = await keepInFile(out, () =>
      withTokenStore(options, context, (store) =>
        rotateToken(store, { environment: env, id, overlapHours: overlap }),
      ),
    );
    const { issued, replaced, others, failure } = rotated;
    return {
      data: {
        environment: env,
        ...issuedJson(issued, out),
        replaces: replaced,
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
  { issued, replaced: { id, revokedAt, expiresAt }, failure }: RotatedToken,
  options: PlaceOptions,
): string {
  if (failure !== null) {
    return [
      `It was to replace ${id}, which could not be ended and is still accepted: ${describeError(failure).message}`,
      'When the partner has changed over:',
      '',
      `  npm run token -- revoke ${id} --env ${options.env}${options.remote ? ' --remote' : ''}`,
    ].join('\n');
  }
  if (revokedAt !== null) {
    return `It replaces ${id}, which is revoked and refused everywhere within two minutes.`;
  }
  const replaced = `It replaces ${id}, which is accepted until ${expiresAt}.`;
  if (expiresAt !== issued.record.expiresAt) return replaced;
  return `${replaced}\nThe new token expires then too, as ${id} would have.`;
}

/** Another rotation was under way, or did not come to its end. */
function describeOthers({ replaced, others }: RotatedToken): string {
  const ids = others.join(', ');
  return `Other rotations of ${replaced.id} have issued ${ids}. Revoke those whose secret is lost.`;
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
