/** A publication as `snapshot publish` makes it, with its guards, into any target. */
import type { CompiledRelease } from '../../scripts/build/release-reader.ts';
import { type PublishChoice, publicationError, publishTo } from '../../scripts/commands/publish.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { commandContext } from './command-context.ts';

/** @param remark is told what people are */
export async function publishAsJob(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  more: Partial<PublishChoice> = {},
  remark: (text: string) => void = () => {},
) {
  const options = { env: 'development', author: 'job', allow: new Map(), ...more } as const;
  const context = commandContext({ remark });
  const watched = { ...target, context };
  return publishTo(watched, compiled, options).catch(async (error) => {
    throw await publicationError(error, compiled.manifest.release, options, context);
  });
}
