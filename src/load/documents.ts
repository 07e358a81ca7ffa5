/** Reads small sealed documents, such as the pointer, and checks them before anything relies on them. */
import * as z from 'zod';
import { BoundedMap } from '../cache/bounded-map.ts';
import { ProblemError } from '../problem.ts';
import { unsealJson } from '../sealed-json.ts';
import { expectVersion, SnapshotFormatError } from '../snapshot/format-error.ts';
import { FORMAT_VERSION } from '../snapshot/keys.ts';
import { readTwice, withDeadline } from '../storage/deadline.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import type { Background } from './background.ts';
import { SharedLoads } from './shared-loads.ts';

/** Documents that an isolate remembers of one kind, at a few kB each. */
const REMEMBERED = 200;

const versionedSchema = z.looseObject({ format: z.int() });

/**
 * The document of this key; null when there is none. A read that fails or brings something damaged is
 * tried once more.
 * @throws DeadlineError, SnapshotFormatError, or as storage does
 */
export function readDocument<Document>(
  source: SnapshotSource,
  key: string,
  schema: z.ZodType<Document>,
  background: Background,
): Promise<Document | null> {
  const { storage } = background;
  return readTwice(async () => {
    storage.reads++;
    storage.keys++;
    const bytes = await withDeadline(source.readDocument(key, background), key);
    storage.bytes += bytes?.byteLength ?? 0;
    return bytes && parse(key, bytes, schema);
  });
}

function parse<Document>(key: string, bytes: ArrayBuffer, schema: z.ZodType<Document>): Document {
  let value: unknown;
  try {
    value = unsealJson(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new SnapshotFormatError(`${key}: ${error}`);
  }
  // Version first: a document of another one may have any shape.
  const version = versionedSchema.safeParse(value);
  if (version.success) expectVersion(key, version.data.format, FORMAT_VERSION);
  const result = schema.safeParse(value);
  if (!result.success) throw new SnapshotFormatError(`${key}: ${z.prettifyError(result.error)}`);
  return result.data;
}

/** A document as it was read. */
interface Kept<Document> {
  readonly document: Document | null;
  /** When its read began: it is as old as that. Milliseconds since 1970. */
  readonly readAt: number;
}

/**
 * Makes what finds documents of one kind, each read now and then, not for each request.
 * @param lifetime milliseconds for which a document that was read is relied on
 * @param unreadable what callers are told when storage fails
 */
export function documentFinder<Document>(
  source: SnapshotSource,
  schema: z.ZodType<Document>,
  lifetime: number,
  unreadable: string,
) {
  const kept = new BoundedMap<string, Kept<Document>>(REMEMBERED);
  const loads = new SharedLoads((key) => {
    const known = kept.get(key);
    return known && Date.now() < known.readAt + lifetime ? known : undefined;
  });

  async function read(key: string, background: Background): Promise<Kept<Document>> {
    const readAt = Date.now();
    const document = await readDocument(source, key, schema, background);
    const known = kept.get(key);
    // A read that began later has come before.
    if (known && known.readAt > readAt) return known;
    const fresh = { document, readAt };
    kept.set(key, fresh);
    return fresh;
  }

  /** The document of this key; null when there is none. @throws ProblemError storage_unreachable */
  return async (key: string, background: Background): Promise<Document | null> => {
    const load = loads.loadOne(key, () => read(key, background), background);
    try {
      return (await background.storage.waitFor(load)).document;
    } catch (cause) {
      throw new ProblemError('storage_unreachable', unreadable, { cause });
    }
  };
}
