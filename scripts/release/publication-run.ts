/** The work of one publication, from the intent to the pointer; publish-release.ts has its order. */
import { objectKey } from '../../src/snapshot/keys.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { putAll } from '../storage/in-flight.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { type Clock, SYSTEM_CLOCK } from '../storage/pace.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { Condemned, readCondemned } from './condemned.ts';
import { type Confirmation, confirmObjects, readBackError } from './confirm-objects.ts';
import { READING_LIFETIME } from './delete-unreferenced.ts';
import { OTHER_WRITES } from './estimate-cost.ts';
import {
  CHECKS_LIFETIME,
  CONFIRMATION_LIFETIME,
  freshSince,
  unlessGrownOld,
} from './fresh-checks.ts';
import { type DeclaredIntent, declareIntent } from './intents.ts';
import { append, type Decision, isSameState, readHead } from './log.ts';
import { asBefore, type LogEntry } from './log-entry.ts';
import { ObjectList, tally } from './objects.ts';
import {
  listCompiled,
  type PublicationPlan,
  planPublication,
  readWhole,
  uploadOf,
  uploadsOf,
} from './plan-publication.ts';
import { bringUpPointer, writePointer } from './pointer-copy.ts';
import {
  conflict,
  describePublication,
  type Publication,
  type PublishOptions,
} from './publication.ts';
import { PublishedReleases } from './published-objects.ts';
import { isPublicationOf, readRelease, writeRelease } from './published-release.ts';

/** Milliseconds after the intent before something condemned is uploaded again. */
const CONDEMNED_WAIT = 2 * READING_LIFETIME;

/** How often the work is begun anew before it is given up. */
const ROUNDS = 5;

const NOTHING_CONDEMNED = new Condemned([]);

export class PublicationRun {
  private readonly compiled: CompiledRelease;
  private readonly target: SnapshotTarget;
  private readonly options: PublishOptions;
  private readonly clock: Clock;
  private readonly published: PublishedReleases;
  private head: LogEntry | null;
  private readonly intents: DeclaredIntent[] = [];
  /** In all rounds; an object that had to be uploaded again is there twice. */
  private uploaded: readonly ObjectRef[] = [];

  constructor(
    compiled: CompiledRelease,
    target: SnapshotTarget,
    options: PublishOptions,
    head: LogEntry | null,
  ) {
    this.compiled = compiled;
    this.target = target;
    this.options = options;
    this.clock = options.clock ?? SYSTEM_CLOCK;
    this.published = options.published ?? new PublishedReleases(target);
    this.head = head;
  }

  async run(): Promise<Publication> {
    const { manifest } = this.compiled;
    const isLive = this.head?.manifest.release === manifest.release;
    if (isLive && !this.head?.hold) {
      const whole = await this.findLiveWhole();
      if (whole) return describePublication(manifest, this.head, whole, this.head?.number ?? null);
    }
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        const publication = await this.tryOnce(round);
        if (publication) return publication;
      }
    } finally {
      await this.takeIntentsAway();
    }
    const message = `everything had to be checked anew ${ROUNDS} times: this machine sleeps, or somebody purges again and again; the live release stays`;
    throw new CommandError(message, { code: 'publication_unsettled' });
  }

  /** The plan that has nothing to do, where the release is live and whole; else null. */
  private async findLiveWhole(): Promise<PublicationPlan | null> {
    const list = this.options.list ?? (await this.readList());
    // Nothing that is live is deleted, so that nobody has to look whether it is condemned.
    const { head, published } = this;
    const stock = { head, list, published, condemned: NOTHING_CONDEMNED };
    const plan = await planPublication(this.compiled, this.target, stock);
    const { release } = this.compiled.manifest;
    const found = await readRelease(this.target, release);
    const isWhole = uploadsOf(plan).length === 0 && plan.left.length === 0;
    return isWhole && isPublicationOf(found, this.compiled.manifest) ? plan : null;
  }

  /** One round; null when it has to be begun anew. */
  private async tryOnce(round: number): Promise<Publication | null> {
    const { compiled, target, head, published } = this;
    const { manifest } = compiled;
    const intent = await this.declare();
    const condemned = await readCondemned(target.ledger);
    // What is gone since it was listed is condemned, or found missing by the confirmation.
    const list = round === 1 && this.options.list ? this.options.list : await this.readList();
    const plan = await planPublication(compiled, target, { head, list, condemned, published });
    if (round === 1) await this.options.onPlan?.(plan);
    const batches = await this.upload(plan.missing);
    const isCondemned = condemned.hasManifest(manifest.release);
    if (plan.condemned.length > 0 || isCondemned) {
      await this.waitForDeleters(intent);
      batches.push(...(await this.upload(plan.condemned)));
    }
    await this.publishManifest(isCondemned);
    const fresh = new Set([...uploadsOf(plan), ...plan.left].map(({ hash }) => hash));
    const read = (hash: string) => readWhole(compiled, hash);
    const claim = { manifest, objects: plan.objects, fresh, batches, read };
    const options = { ...this.options, clock: this.clock };
    const confirmation = await confirmObjects(target, claim, options);
    if (head && head.manifest.release === manifest.release && !head.hold) {
      await bringUpPointer(target, head);
      return describePublication(manifest, head, plan, head.number, this.uploaded);
    }
    const entry = await this.decide(intent, confirmation);
    if (!entry) return null;
    await writePointer(target, entry);
    return describePublication(manifest, head, plan, entry.number, this.uploaded);
  }

  private readList(): Promise<ObjectList> {
    return ObjectList.read(this.target.objects);
  }

  private async declare(): Promise<DeclaredIntent> {
    const { compiled, head } = this;
    const objects = (await listCompiled(compiled)).map(({ hash }) => hash);
    const intent = await declareIntent(this.target.ledger, {
      by: this.options.signature.by,
      release: compiled.manifest.release,
      head: head?.number ?? 0,
      objects,
    });
    this.intents.push(intent);
    return intent;
  }

  /** Uploads objects and returns the hashes that travelled together. */
  private async upload(objects: readonly ObjectRef[]): Promise<string[][]> {
    const { progress, signal } = this.options;
    if (objects.length === 0) return [];
    const uploads = objects.map((object) => {
      const upload = uploadOf(this.compiled, object);
      const read = async () => {
        signal?.throwIfAborted();
        return upload.read();
      };
      return { ...upload, read };
    });
    let done = 0;
    progress.begin('Uploading', tally(objects).bytes, 'bytes');
    const batches = await putAll(this.target.objects, uploads, ({ size }) => {
      done += size;
      progress.update(done);
    });
    this.uploaded = [...this.uploaded, ...objects];
    const hashes = new Map(objects.map(({ hash }) => [objectKey(hash), hash]));
    return batches.map((keys) => keys.flatMap((key) => hashes.get(key) ?? []));
  }

  /** Whoever deletes goes by a reading of at most five minutes ago: after ten it has seen the intent. */
  private async waitForDeleters({ storedAt }: DeclaredIntent): Promise<void> {
    for (let isTold = false; ; isTold = true) {
      const left = storedAt + CONDEMNED_WAIT - (await this.target.ledger.now());
      if (left <= 0) return;
      if (!isTold) this.options.onWait?.(left);
      await this.clock.sleep(left, this.options.signal);
    }
  }

  /** @param anew whether the one that may be there is about to be deleted */
  private async publishManifest(anew: boolean): Promise<void> {
    const { target, compiled, options } = this;
    const { manifest } = compiled;
    options.signal?.throwIfAborted();
    const found = anew ? null : await readRelease(target, manifest.release);
    if (isPublicationOf(found, manifest)) return;
    const publishedAt = new Date(await target.ledger.now()).toISOString();
    await writeRelease(target, { ...manifest, publishedAt, author: options.signature.by });
    const written = await readRelease(target, manifest.release);
    if (!isPublicationOf(written, manifest)) throw readBackError(`release ${manifest.release}`);
  }

  /** Adds the entry; null when the checks have grown old, or have to be made anew. */
  private async decide(
    intent: DeclaredIntent,
    confirmation: Confirmation,
  ): Promise<LogEntry | null> {
    const { target, head } = this;
    this.options.signal?.throwIfAborted();
    const now = await target.ledger.now();
    const isRecent = now - confirmation.at <= CONFIRMATION_LIFETIME;
    if (isRecent && now - intent.storedAt <= CHECKS_LIFETIME) {
      const decision = this.decisionAt(new Date(now).toISOString());
      const guard = freshSince(confirmation.atHere, () => this.clock.now());
      const entry = await append(target, head, decision, guard).catch(unlessGrownOld);
      if (entry) return entry;
    }
    await this.lookAgain();
    return null;
  }

  private decisionAt(at: string): Decision {
    const { head, compiled } = this;
    const { accepted = [] } = this.options;
    const isSame = head?.manifest.release === compiled.manifest.release;
    const { bytes, objects } = tally(this.uploaded);
    return {
      ...this.options.signature,
      kind: isSame ? 'resume' : 'publish',
      at,
      manifest: compiled.manifest,
      publishedAt: isSame && head ? head.publishedAt : at,
      before: isSame && head ? head.before : head && asBefore(head),
      back: isSame && head ? head.back : (head?.number ?? null),
      hold: null,
      cost: { writes: objects + OTHER_WRITES, bytes },
      ...(accepted.length > 0 ? { accepted: [...accepted] } : {}),
    };
  }

  /** @throws CommandError publish_conflict, unless what has been decided meanwhile changes nothing here */
  private async lookAgain(): Promise<void> {
    const last = await readHead(this.target.ledger, this.head?.number);
    if (!isSameState(this.head, last)) throw conflict(last, this.compiled.manifest);
    this.head = last;
  }

  /** What cannot be taken away now counts for a day; the work is done either way. */
  private async takeIntentsAway(): Promise<void> {
    for (const { key } of this.intents) await this.target.ledger.delete(key).catch(() => {});
  }
}
