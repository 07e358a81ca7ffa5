/** Tells from what a publication asks of its storage how far it has come. */
import {
  LAST_RUN_KEY,
  LOG_PREFIX,
  OBJECT_PREFIX,
  POINTER_KEY,
} from '../../../src/snapshot/keys.ts';
import type { Moment, Phase, Side } from './kill-plan.ts';

/** Something asked of storage. */
export interface Step {
  readonly verb: 'get' | 'put' | 'create' | 'delete';
  readonly keys: readonly string[];
}

/** Whether a step says what is live. */
export function isTurn({ verb, keys }: Step): boolean {
  return verb !== 'get' && keys.some((key) => key === POINTER_KEY || key.startsWith(LOG_PREFIX));
}

/** Whether a step decides what is live: of all turns the first, which the others follow. */
export function isDecision({ verb, keys }: Step): boolean {
  return verb === 'create' && keys.some((key) => key.startsWith(LOG_PREFIX));
}

export class PhaseWatch {
  private readonly moment: Moment;
  private hasUploaded = false;
  private hasDecided = false;
  private passed = 0;
  private isOver = false;

  constructor(moment: Moment) {
    this.moment = moment;
  }

  /** Whether the moment has come: told of every step of the publication, before and after it. */
  meets(step: Step, side: Side): boolean {
    const isIt = !this.isOver && side === this.moment.side && this.isOfPhase(step);
    if (side === 'after') this.note(step);
    if (!isIt || this.passed++ < this.moment.passes) return false;
    this.isOver = true;
    return true;
  }

  private note(step: Step): void {
    const { verb, keys } = step;
    this.hasUploaded ||= verb === 'put' && keys.some((key) => key.startsWith(OBJECT_PREFIX));
    this.hasDecided ||= isDecision(step);
  }

  private isOfPhase(step: Step): boolean {
    const { phase } = this.moment;
    const has = (prefix: string) => step.keys.some((key) => key.startsWith(prefix));
    const tells: Record<Phase, boolean> = {
      upload: step.verb === 'put' && has(OBJECT_PREFIX),
      // What is compared and planned is read before anything is uploaded, what is confirmed after it.
      confirm: step.verb === 'get' && has(OBJECT_PREFIX) && this.hasUploaded,
      log: isDecision(step),
      // A publication that finds the pointer behind mends it before it does anything else.
      pointer: step.verb === 'put' && has(POINTER_KEY) && this.hasDecided,
      // The time of the run: the last step of all.
      after: this.hasDecided && step.verb === 'put' && step.keys.includes(LAST_RUN_KEY),
    };
    return tells[phase];
  }
}
