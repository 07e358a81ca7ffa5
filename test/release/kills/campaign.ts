/** Kills one publication after another, among readers and rivals, and looks what has become of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openSnapshotFolder } from '../../../scripts/build/snapshot-folder.ts';
import { SILENT_PROGRESS } from '../../../scripts/cli/progress.ts';
import { entrySchema, type LogEntry } from '../../../scripts/release/log-entry.ts';
import { listObjects } from '../../../scripts/release/objects.ts';
import { publishRelease } from '../../../scripts/release/publish-release.ts';
import { unsealJson } from '../../../src/sealed-json.ts';
import { LOG_PREFIX, objectKey, POINTER_KEY } from '../../../src/snapshot/keys.ts';
import { objectHash } from '../../../src/snapshot/manifest.ts';
import { callTool } from '../../support/call-tool.ts';
import { type Generation, Generations } from './generations.ts';
import { describeKill, type Kill } from './kill-plan.ts';
import { Reader } from './reader.ts';
import { leaveRubbish, pruneBeside, publishBeside, type RivalOutcome } from './rivals.ts';
import type { Stage } from './stage.ts';
import type { Death } from './victim.ts';

/**
 * Milliseconds after a SIGKILL after which nothing is turned any more. A second is what is promised;
 * this finds a publisher that simply goes on, however little time the machine has for it.
 */
const LATEST_TURN = 30_000;

/** What became of one publication. */
export interface Outcome {
  readonly kill: Kill;
  readonly death: Death;
  /** Whether its release went live. */
  readonly isTurned: boolean;
  readonly rival: RivalOutcome;
}

export class Campaign {
  readonly outcomes: Outcome[] = [];
  /** What should not have happened. */
  readonly faults: string[] = [];
  readonly reader: Reader;
  private readonly stage: Stage;
  private readonly generations: Generations;
  private readonly entries = new Map<string, LogEntry>();

  /** @param folder an empty one, to build releases in */
  constructor(stage: Stage, folder: string) {
    this.stage = stage;
    this.generations = new Generations(folder);
    this.reader = new Reader(stage.source, this.generations, stage.now);
  }

  /** Publishes a first release, and ends when readers see it whole. */
  async begin(): Promise<void> {
    await this.publish(await this.generations.next());
    await sleep(this.stage.lag);
  }

  async kill(kill: Kill): Promise<void> {
    const blame = (fault: string) => this.faults.push(`${describeKill(kill)}: ${fault}`);
    const { target } = this.stage;
    const [wanted, other] = [await this.generations.next(), await this.generations.next()];
    const head = await this.readHead();
    const rubbish = await leaveRubbish(target);
    const victim = this.stage.start(kill, wanted.snapshot);
    victim.working.then(() => {
      this.reader.isAlert = true;
    });
    try {
      const killed = victim.kill(kill).then(async (death) => {
        await this.stage.settle();
        return death;
      });
      const [death, rival, pruned] = await Promise.all([
        killed,
        publishBeside(target, other, kill.isRaced ? victim.reached : killed),
        victim.reached.then(() => pruneBeside(target)),
      ]);
      if (`${[...pruned].sort()}` !== `${rubbish.sort()}`) blame(`the prune deleted ${pruned}`);
      const after = await this.readLog();
      const isTurned = after.some(({ manifest }) => manifest.release === wanted.release);
      const outcome = { kill, death, isTurned, rival };
      this.outcomes.push(outcome);
      const live = rival === 'live' ? other.release : (head?.manifest.release ?? '');
      this.checkWords(outcome, wanted.release, [head?.manifest.release ?? '', live], blame);
      this.checkRival(outcome, blame);
      await this.checkList(blame);
      await this.checkWhole(blame);
    } finally {
      victim.end();
    }
    // Whoever was killed without a word is run again; else the next two publishers come next, of whom one
    // has to succeed.
    if (kill.signal === 'SIGKILL') await this.publish(wanted);
    await this.reader.sees((await this.readHead())?.manifest.release ?? '');
    this.reader.isAlert = false;
  }

  /** Publishes once more, as people do, and looks whether every release that was live is whole. */
  async end(): Promise<void> {
    this.reader.isAlert = true;
    const { snapshot, release } = await this.generations.next();
    const { code, stdout } = await this.run('publish', '--snapshot', snapshot, '--force', '--json');
    if (code !== 0) this.faults.push(`the last publication ended with ${code}: ${stdout}`);
    else await this.reader.sees(release);
    this.reader.stop();
    // What several releases share is read once.
    const known = new Map<string, Promise<Uint8Array | null>>();
    for (const entry of await this.readLog()) {
      for (const lost of await this.missing(entry, known)) {
        this.faults.push(`release ${entry.manifest.release}, which is kept, lacks ${lost}`);
      }
    }
  }

  /** Point 7: what the last line and the exit code say, and when the last turn was. */
  private checkWords(
    { kill, death, isTurned }: Outcome,
    wanted: string,
    others: readonly string[],
    blame: (fault: string) => void,
  ): void {
    const { code, lastLine, lastTurn, hasDisobeyed } = death;
    const isKilled = kill.signal === 'SIGKILL';
    if (hasDisobeyed) blame('decided after it had heard that it is to end');
    if (isKilled && (lastTurn ?? 0) > LATEST_TURN) blame(`turned ${lastTurn} ms after`);
    // Nobody is left who could say anything, and npm does not take that for success.
    if (isKilled) {
      if (code === 0) blame('npm ended with 0');
      return;
    }
    const { place } = this.stage;
    const words = isTurned
      ? [`interrupted: ${place}: release ${wanted} is live all the same`]
      : others.map(
          (live) => `error: interrupted: ${place}: release ${wanted} is not live, ${live} is`,
        );
    if (!words.includes(lastLine)) blame(`said "${lastLine}", and turned is ${isTurned}`);
    const expected = isTurned ? 0 : 130;
    if (code !== expected) blame(`ended with ${code}, not ${expected}`);
  }

  /** Of the two who decide after the same entry, one wins. */
  private checkRival({ isTurned, rival }: Outcome, blame: (fault: string) => void): void {
    if (isTurned === (rival === 'live')) blame(`the rival: ${rival}, and turned is ${isTurned}`);
  }

  /** `list` tells the truth, and `prune` leaves readers with it. */
  private async checkList(blame: (fault: string) => void): Promise<void> {
    const { code, stdout } = await this.run('list', '--json');
    const last = await this.readHead();
    const { live, entries } = JSON.parse(stdout);
    if (code !== 0 || live?.number !== last?.number || live?.release !== last?.manifest.release) {
      blame(`list (${code}) says that ${live?.name} is live, not ${last?.number}`);
    }
    const [newest] = entries;
    if (newest?.state !== 'live' || newest?.number !== last?.number) blame('list has another head');
    const prune = await this.run('prune', '--json');
    if (prune.code !== 0) blame(`prune ended with ${prune.code}: ${prune.stdout}`);
    const pointer = await this.stage.truth(POINTER_KEY);
    const number = pointer && JSON.parse(new TextDecoder().decode(pointer)).number;
    if (number !== last?.number) blame(`the pointer is at ${number}, the log at ${last?.number}`);
  }

  private async checkWhole(blame: (fault: string) => void): Promise<void> {
    const head = await this.readHead();
    if (!head) return blame('nothing is live');
    for (const lost of await this.missing(head)) blame(`the live release lacks ${lost}`);
  }

  /**
   * Hashes of objects that a release lacks, or that are damaged.
   * @param known objects that were read before; null: they lack or are damaged
   */
  private async missing(
    { manifest }: LogEntry,
    known = new Map<string, Promise<Uint8Array | null>>(),
  ): Promise<string[]> {
    const read = (hash: string) => {
      const key = objectKey(manifest.generation, hash);
      const bytes = known.get(key) ?? this.readWhole(key, hash);
      known.set(key, bytes);
      return bytes;
    };
    const objects = await listObjects(manifest, read);
    const found = await Promise.all(objects.map(({ hash }) => read(hash)));
    return objects.filter((_, place) => !found[place]).map(({ hash }) => hash);
  }

  /** An object as it lies in storage; null if it is not there, or not what its name says. */
  private async readWhole(key: string, hash: string): Promise<Uint8Array | null> {
    const bytes = await this.stage.truth(key);
    return bytes && (await objectHash(bytes)) === hash ? bytes : null;
  }

  private async publish({ snapshot }: Generation): Promise<void> {
    const signature = { by: 'next', note: null };
    const options = { signature, progress: SILENT_PROGRESS };
    await publishRelease(await openSnapshotFolder(snapshot), this.stage.target, options);
  }

  private run(command: string, ...args: string[]) {
    const { args: place, variables: env } = this.stage;
    return callTool('snapshot', [command, ...args, ...place], { env });
  }

  private async readHead(): Promise<LogEntry | undefined> {
    return (await this.readLog()).at(-1);
  }

  /** Entries never change, and come after those that are known: each is listed and read once. */
  private async readLog(): Promise<LogEntry[]> {
    const { ledger } = this.stage.target;
    const last = [...this.entries.keys()].at(-1);
    for await (const { key } of ledger.list(LOG_PREFIX, last)) {
      const bytes = await ledger.get(key);
      this.entries.set(
        key,
        entrySchema.parse(unsealJson(new TextDecoder().decode(bytes ?? undefined))),
      );
    }
    return [...this.entries.values()];
  }
}
