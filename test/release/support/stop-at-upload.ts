/**
 * Loaded into a publication to local storage (`node --import`): stops it once an object is written, until
 * it is interrupted or killed. However slow the machine is, it is still at work then. The file that
 * STOPPED_FILE names says that it has stopped.
 */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';

// npm is a node too, and inherits the option that loads this.
if (process.argv[1]?.endsWith('scripts/snapshot.ts')) await stopAtUpload();

async function stopAtUpload(): Promise<void> {
  const { interruptSignal } = await import('../../../scripts/cli/interruption.ts');
  const { LocalKv } = await import('../../../scripts/storage/local-storage.ts');
  const { OBJECT_PREFIX } = await import('../../../src/snapshot/keys.ts');
  const signal = interruptSignal();
  const { put } = LocalKv.prototype;
  LocalKv.prototype.put = async function (key, ...value) {
    await put.call(this, key, ...value);
    if (!key.startsWith(OBJECT_PREFIX)) return;
    await writeFile(process.env.STOPPED_FILE ?? '', '');
    // No time passes without a reason to stay, and there is none while nothing is read.
    const stay = setInterval(() => {}, 1_000);
    if (!signal.aborted) await once(signal, 'abort');
    clearInterval(stay);
  };
}
