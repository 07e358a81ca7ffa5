/** What a page is made of, and what it is made with. */
import type { Html } from './html.ts';

export interface Site {
  /** The OpenAPI document of the service. */
  readonly document: { readonly [key: string]: unknown };
  /** The path at which a source of `PageSource.sources`, or a generated file, is served. */
  url(name: string): string;
}

export interface PageSource {
  /** Scripts and styles, bundled one by one: paths in the project. What they share is split off. */
  readonly sources: readonly string[];
  /** Files that are made while building: name and content. */
  generate(site: Pick<Site, 'document'>): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The page itself. */
  make(site: Site): Html;
}

/** For pages that load only what is bundled. */
export const nothingGenerated = async (): Promise<ReadonlyMap<string, Uint8Array>> => new Map();
