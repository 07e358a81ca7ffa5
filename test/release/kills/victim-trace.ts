/**
 * Loaded into a publication that is going to be killed (`node --import`): it reports to the test that
 * it runs and that it was interrupted. Over local storage it also stops the publication at the moment
 * that VICTIM_MOMENT names, until it is interrupted or killed; over Cloudflare's the door does that.
 */
import type { Report } from './control.ts';
import type { Moment } from './kill-plan.ts';
import { isDecision, isTurn, PhaseWatch, type Step } from './phase-watch.ts';

// npm is a node too, and inherits the option that loads this.
if (process.argv[1]?.endsWith('scripts/snapshot.ts')) await begin();

async function begin(): Promise<void> {
  const { interruptSignal } = await import('../../../scripts/cli/interruption.ts');
  const signal = interruptSignal();
  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
  interrupted.then(() => report({ what: 'interrupted' }));
  await report({ what: 'started', pid: process.pid });
  const moment = process.env.VICTIM_MOMENT;
  if (moment) await stopAt(JSON.parse(moment), signal, interrupted);
}

async function report(report: Report): Promise<void> {
  const body = JSON.stringify(report);
  // The test may have come to its end.
  await fetch(process.env.VICTIM_CONTROL ?? '', { method: 'POST', body }).catch(() => {});
}

async function stopAt(
  moment: Moment,
  signal: AbortSignal,
  interrupted: Promise<void>,
): Promise<void> {
  const { LocalKv } = await import('../../../scripts/storage/local-kv.ts');
  const { LocalR2 } = await import('../../../scripts/storage/local-r2.ts');
  const watch = new PhaseWatch(moment);
  let isWorking = false;
  const follow = async <R>(step: Step, act: () => Promise<R>): Promise<R> => {
    if (!isWorking) report({ what: 'working' });
    isWorking = true;
    if (signal.aborted && isDecision(step)) report({ what: 'disobeyed' });
    if (watch.meets(step, 'before')) await stop();
    const result = await act();
    if (isTurn(step)) report({ what: 'turned' });
    if (watch.meets(step, 'after')) await stop();
    return result;
  };
  const stop = async () => {
    await report({ what: 'reached' });
    // No time passes without a reason to stay, and there is none while nothing is read.
    const stay = setInterval(() => {}, 1_000);
    await interrupted;
    clearInterval(stay);
  };
  for (const { prototype } of [LocalKv, LocalR2]) {
    const { get, put, delete: remove } = prototype;
    prototype.get = function (key: string) {
      return follow({ verb: 'get', keys: [key] }, () => get.call(this as never, key));
    };
    prototype.put = function (key: string, bytes: Uint8Array) {
      return follow({ verb: 'put', keys: [key] }, () => put.call(this as never, key, bytes));
    };
    prototype.delete = function (key: string) {
      const act = () => remove.call(this as never, key);
      return follow({ verb: 'delete', keys: [key] }, act);
    };
  }
  const { create } = LocalR2.prototype;
  LocalR2.prototype.create = function (key: string, bytes: Uint8Array) {
    const act = () => create.call(this, key, bytes);
    return follow({ verb: 'create', keys: [key] }, act);
  };
}
