/** A publication that is started as people start it, `npm run snapshot -- publish`, and killed. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { survivors } from '../support/process-group.ts';
import type { Control } from './control.ts';
import type { Kill } from './kill-plan.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const TRACE = pathToFileURL(resolve(import.meta.dirname, 'victim-trace.ts')).href;

/** What becomes of a publication that was killed. */
export interface Death {
  /** Of npm; null when it was killed itself. */
  readonly code: number | null;
  /** The last line of what all its processes wrote to standard error. */
  readonly lastLine: string;
  /** Milliseconds from the signal to the last write of what is live; null: none came after it. */
  readonly lastTurn: number | null;
  /** Milliseconds from the signal until nothing of it ran any more. */
  readonly ended: number;
  /** Whether it began to write an entry of the log after it had heard that it is to end. */
  readonly hasDisobeyed: boolean;
}

/** Milliseconds between two looks at whether all has ended: each reads about every process. */
const BURIAL_LOOK = 50;

export class Victim {
  /** Settled when it has begun to work on storage. */
  readonly working: Promise<void>;
  /** Settled when the moment has come at which it is to be killed. */
  readonly reached: Promise<void>;
  /** Settled when it has heard a signal. */
  readonly interrupted: Promise<void>;
  private readonly npm: ChildProcessByStdio<null, Readable, Readable>;
  private readonly output: Promise<readonly string[]>;
  private readonly exit: Promise<unknown>;
  private pid: number | undefined;
  private turnedAt = Number.NEGATIVE_INFINITY;
  private hasDisobeyed = false;

  /**
   * Starts it in a process group of its own.
   * @param args what follows `publish`
   * @param variables of its environment, on top of `process.env`
   */
  constructor(control: Control, args: readonly string[], variables: NodeJS.ProcessEnv) {
    const working = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const interrupted = Promise.withResolvers<void>();
    this.working = working.promise;
    this.reached = reached.promise;
    this.interrupted = interrupted.promise;
    control.listener = (report) => {
      if (report.what === 'started') this.pid = report.pid;
      if (report.what === 'working') working.resolve();
      if (report.what === 'reached') reached.resolve();
      if (report.what === 'interrupted') interrupted.resolve();
      if (report.what === 'disobeyed') this.hasDisobeyed = true;
      if (report.what === 'turned') this.turnedAt = performance.now();
    };
    const publish = ['run', '--silent', 'snapshot', '--', 'publish', ...args];
    this.npm = spawn('npm', publish, {
      cwd: PROJECT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...variables,
        NO_COLOR: '1',
        VICTIM_CONTROL: control.url,
        NODE_OPTIONS: `--import=${TRACE}`,
      },
    });
    this.exit = once(this.npm, 'exit');
    this.output = Promise.all([text(this.npm.stdout), text(this.npm.stderr)]);
  }

  /** Kills it once the moment has come, and waits until nothing of it runs any more. */
  async kill({ signal, target }: Pick<Kill, 'signal' | 'target'>): Promise<Death> {
    const early = this.output.then(([out, err]) => {
      throw new Error(`the publication ended before it was killed: ${out}${err}`);
    });
    await Promise.race([this.reached, early]);
    early.catch(() => {});
    const group = this.npm.pid as number;
    const pids = { node: this.pid as number, npm: group, group: -group };
    const killedAt = performance.now();
    process.kill(pids[target], signal);
    await this.exit;
    const [, stderr = ''] = await this.output;
    while ((await survivors(this.npm)).length > 0) await sleep(BURIAL_LOOK);
    const turned = this.turnedAt - killedAt;
    return {
      code: this.npm.exitCode,
      lastLine: stderr.trim().split('\n').at(-1) ?? '',
      lastTurn: turned > 0 ? turned : null,
      ended: performance.now() - killedAt,
      hasDisobeyed: this.hasDisobeyed,
    };
  }

  /** Ends what a failed test left. */
  end(): void {
    try {
      process.kill(-(this.npm.pid as number), 'SIGKILL');
    } catch {
      // Nobody is left.
    }
  }
}
