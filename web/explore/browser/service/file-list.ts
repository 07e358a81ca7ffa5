/** Files of one kind that lie beside the page, by the names in their list; `basemap/build-basemap.ts` draws it. */

/** By name. */
type Addresses = ReadonlyMap<string, string>;

export class FileList {
  readonly #list: string;
  #addresses: Promise<Addresses> | null = null;

  /** @param list its address */
  constructor(list: string) {
    this.#list = list;
  }

  /** Returns the address of each file. @throws when the list cannot be loaded; the next call tries again */
  async addresses(): Promise<Addresses> {
    this.#addresses ??= readAddresses(this.#list);
    try {
      return await this.#addresses;
    } catch (error) {
      this.#addresses = null;
      throw error;
    }
  }

  /** Returns a file, or null where none has this name. @throws when it cannot be loaded */
  async load(name: string, signal?: AbortSignal): Promise<Response | null> {
    const address = (await this.addresses()).get(name);
    return address === undefined ? null : fetchGood(address, signal);
  }
}

async function readAddresses(list: string): Promise<Addresses> {
  const answer = await fetchGood(list);
  const { path, names } = (await answer.json()) as { path: string; names: string[] };
  return new Map(names.map((name, index) => [name, path.replace('*', `${index}`)]));
}

async function fetchGood(address: string, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(address, { signal: signal ?? null });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
