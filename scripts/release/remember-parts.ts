/** Keeps the index parts of a release in memory, for several readers of one command. */
import type { CompiledRelease } from './compiled-release.ts';

/** The same release, whose parts are read once. Chunks are read each time: they are the mass of it. */
export function rememberParts({ manifest, readObject }: CompiledRelease): CompiledRelease {
  const parts = new Set(Object.values(manifest.parts).map(({ hash }) => hash));
  const known = new Map<string, Uint8Array>();
  return {
    manifest,
    readObject: async (hash) => {
      const bytes = known.get(hash) ?? (await readObject(hash));
      if (bytes && parts.has(hash)) known.set(hash, bytes);
      return bytes;
    },
  };
}
