/** What a page is made of, and what it is made with. */
import type { Html } from './html.ts';

export interface Site {
  /** The path at which a source of `PageSource.sources`, or a generated file, is served. */
  url(name: string): string;
}

/** Name and content. */
export type GeneratedFiles = ReadonlyMap<string, Uint8Array>;

export interface PageSource {
  /** Scripts and styles, bundled one by one: paths in the project. What they share is split off. */
  readonly sources: readonly string[];
  /** Files that are made while building, which takes seconds. */
  generate(): Promise<GeneratedFiles>;
  /** The files and folders of the project that alone decide what comes of it: it is kept until one changes. */
  readonly generatedFrom: readonly string[];
  /** The page itself. */
  make(site: Site): Html;
}
