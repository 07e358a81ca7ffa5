/** The opening hours of the stores whose rows are shown: they are long, so others are not asked for. */
import type { StoreHours } from '../../../client/src/index.ts';
import { debounce } from './dom.ts';
import type { Service } from './service.ts';

/** What the service takes ids of at once. */
const MOST_IDS = 100;

/** Milliseconds in which rows come together into one request. */
const GATHER = 60;

export class OpeningHours {
  private readonly known = new Map<string, StoreHours>();
  private readonly onKnown: () => void;
  private service: Service | null = null;
  private wanted: readonly string[] = [];
  private loading = new AbortController();
  private readonly load = debounce(GATHER, () => void this.loadWanted());

  /** @param onKnown told when more are there */
  constructor(onKnown: () => void) {
    this.onKnown = onKnown;
  }

  /** Asks for the hours of these stores, as far as they are not there. */
  want(service: Service, ids: readonly string[]): void {
    if (service !== this.service) this.known.clear();
    this.service = service;
    this.wanted = ids.filter((id) => !this.known.has(id)).slice(0, MOST_IDS);
    if (this.wanted.length > 0) this.load();
  }

  of(id: string): StoreHours | null {
    return this.known.get(id) ?? null;
  }

  private async loadWanted(): Promise<void> {
    const { service, wanted } = this;
    if (!service || wanted.length === 0) return;
    this.loading.abort();
    this.loading = new AbortController();
    const { signal } = this.loading;
    const fields = ['id', 'temporal'] as const;
    try {
      const query = { id: { in: wanted }, fields, limit: MOST_IDS };
      const { read } = await service.list(query, signal);
      const hours = read.docs as unknown as readonly (StoreHours & { readonly id: string })[];
      for (const each of hours) this.known.set(each.id.toLowerCase(), each);
      this.onKnown();
    } catch {
      // Rows without hours serve too, and the search itself tells what is wrong with the service.
    }
  }
}
