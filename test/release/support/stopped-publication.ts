/** A publication to local storage that stops at its first upload until it hears that it is to end. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Control, Report } from '../kills/control.ts';
import type { Moment } from '../kills/kill-plan.ts';

const TRACE = pathToFileURL(resolve(import.meta.dirname, '../kills/victim-trace.ts')).href;

/**
 * Variables that stop it once its first object is written: however slow the machine is, it is still at
 * work when it is interrupted. It tells `control` that it has stopped.
 */
export function stoppedAtUpload(control: Control): Record<string, string> {
  const moment: Moment = { phase: 'upload', side: 'after', passes: 0 };
  return {
    NODE_OPTIONS: `--import=${TRACE}`,
    VICTIM_MOMENT: JSON.stringify(moment),
    VICTIM_CONTROL: control.url,
  };
}

/** Settles when the next publication has stopped: nobody need ask storage, which it is writing to. */
export function untilStopped(control: Control): Promise<void> {
  return new Promise((settle) => {
    control.listener = ({ what }: Report) => {
      if (what === 'reached') settle();
    };
  });
}
