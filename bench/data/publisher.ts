/**
 * The small values of KV: the pointer, releases by their names, the records of tokens made for one
 * run. They are files named by their keys.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateToken } from '../../scripts/token/new-token.ts';
import { hashToken, tokenKey } from '../../src/auth/token.ts';
import type { TokenRecord, Utm } from '../../src/auth/token-record.ts';
import { POINTER_KEY, releaseKey, releaseName } from '../../src/snapshot/keys.ts';
import type { Manifest, Pointer } from '../../src/snapshot/manifest.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';

/** All releases lie in one generation. */
export const GENERATION = '20261001T000000Z-benchm';

const LOG = { id: 'bench', environment: 'production', place: 'kv of the benchmark', replaces: [] };

/** Tokens with a record. */
export const PARTNERS = ['plain', 'second', 'third', 'fourth', 'attributed'] as const;

/** Tokens by what they are for. */
export type TokenName = (typeof PARTNERS)[number] | 'unknown';

/** As they are sent. */
export type TokenTexts = Readonly<Record<TokenName, string>>;

const ATTRIBUTION: Utm = { utm_source: 'bench', utm_medium: 'partner', utm_campaign: 'autumn' };

const TOKEN: TokenRecord = {
  version: 1,
  partner: 'benchmark',
  scopes: ['stores:read:GET'],
  createdAt: '2026-10-01T00:00:00Z',
  expiresAt: null,
  revokedAt: null,
  utm: null,
};

/** A release that was put live. */
type Publication = NonNullable<Pointer['before']>;

/**
 * Puts one release after another live. It alone gives publications their numbers: an isolate does not
 * follow a number that is lower than the one it has read, and takes an equal one for the release that
 * it has already.
 */
export class Publisher {
  private readonly folder: string;
  private live: Publication | null = null;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the name of the live release. @throws Error when none was put live yet */
  get liveName(): string {
    if (!this.live) throw new Error('no release was put live yet');
    return releaseName(this.live.number, this.live.manifest.release);
  }

  /** Puts a release live: every later read of the pointer finds it. */
  async putLive({ manifest }: { readonly manifest: Manifest }): Promise<void> {
    const number = (this.live?.number ?? 0) + 1;
    const publishedAt = new Date().toISOString();
    const live = { manifest: { ...manifest, generation: GENERATION }, publishedAt };
    const { format, release } = manifest;
    const pointer: Pointer = { format, log: LOG, number, ...live, before: this.live };
    await this.write(releaseKey(releaseName(number, release)), live);
    await this.write(POINTER_KEY, pointer);
    this.live = { ...live, number };
  }

  /** Makes tokens. Returns them, and what the plain contenders know of them: attribution by token text. */
  async issueTokens() {
    const names: readonly TokenName[] = [...PARTNERS, 'unknown'];
    const pairs = names.map((name) => [name, generateToken('production')] as const);
    const texts = Object.fromEntries(pairs) as TokenTexts;
    const known: Record<string, Utm | null> = {};
    for (const name of PARTNERS) {
      const text = texts[name];
      const utm = name === 'attributed' ? ATTRIBUTION : null;
      known[text] = utm;
      await this.write(tokenKey(await hashToken(text)), { ...TOKEN, utm });
    }
    return { texts, known };
  }

  /** Replaces a document at once: a reader never sees half of it. */
  private async write(key: string, document: object): Promise<void> {
    const file = join(this.folder, key);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.new`, sealJson(document));
    await rename(`${file}.new`, file);
  }
}
