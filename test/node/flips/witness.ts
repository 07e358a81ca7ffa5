/** One process, as those who ask it know it. */
import type { Turn } from './history.ts';

export class Witness {
  readonly port: number;
  /** Names of the releases that it has answered from. */
  readonly releases = new Set<string>();
  /** Number of the newest of them. */
  newest = 0;
  /** Milliseconds that are to pass for it. */
  private later = 0;
  private underWay = 0;
  /** Settled when nothing is under way. */
  private quiet = Promise.withResolvers<void>();

  constructor(port: number) {
    this.port = port;
  }

  /** Lets time pass as soon as nothing is under way: no request is to have waited for so long. */
  pass(milliseconds: number): void {
    this.later = milliseconds;
  }

  /** Waits for its turn to ask. @returns milliseconds that pass with the request */
  async begin(): Promise<number> {
    while (this.later > 0 && this.underWay > 0) await this.quiet.promise;
    const { later } = this;
    this.later = 0;
    this.underWay++;
    return later;
  }

  end(): void {
    this.underWay--;
    if (this.underWay > 0) return;
    this.quiet.resolve();
    this.quiet = Promise.withResolvers();
  }

  note({ name, number }: Turn): void {
    this.releases.add(name);
    this.newest = Math.max(this.newest, number);
  }
}
