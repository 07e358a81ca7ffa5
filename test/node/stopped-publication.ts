/** A publication to local storage that stops at its first upload until it hears that it is to end. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Moment } from './kills/kill-plan.ts';

const TRACE = pathToFileURL(resolve(import.meta.dirname, 'kills/victim-trace.ts')).href;

/**
 * Variables that stop it: however slow the machine is, it is still at work when it is interrupted. What
 * `victim-trace.ts` reports, it reports to nobody.
 * @param side whether the upload is about to be made, or has been
 */
export function stoppedAtUpload(side: Moment['side']): Record<string, string> {
  const moment: Moment = { phase: 'upload', side, passes: 0 };
  return { NODE_OPTIONS: `--import=${TRACE}`, VICTIM_MOMENT: JSON.stringify(moment) };
}
