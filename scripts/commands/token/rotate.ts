/** `token rotate`: a token is replaced by a new one. */
import type { PlaceOptions } from '../../cli/common-options.ts';
import type { CommandContext } from '../../cli/run-command.ts';
import { shellWord } from '../../cli/shell-word.ts';
import { openTokens } from '../../storage/open-target.ts';
import { type IssuedPlace, issuedResult, openTokenFile } from '../../token/issued-token.ts';
import { type RotatedToken, rotateToken } from '../../token/rotate-token.ts';

interface RotateOptions extends IssuedPlace {
  /** Hours. */
  readonly overlap: number;
}

export async function run(options: RotateOptions, context: CommandContext, id: string) {
  await using store = await openTokens(options, context);
  const { env, overlap, out } = options;
  await using file = await openTokenFile(out);
  const rotated = await rotateToken(store, env, id, overlap);
  const { issued, replaced, others, failure } = rotated;
  await file.write(issued);
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
}

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
