/** Reads small sealed JSON documents, such as the pointer, and checks them before anything relies on them. */
import * as z from 'zod';
import { BudgetCache } from '../cache/budget-cache.ts';
import { ProblemError } from '../model/problem.ts';
import { expectVersion, SnapshotFormatError } from '../snapshot/column-file.ts';
import {
  type ReadContext,
  readTwice,
  type SnapshotSource,
  withDeadline,
} from '../storage/reading.ts';
import { unsealJson } from '../storage/sealed-json.ts';
import { SharedReads } from './shared-reads.ts';

/** Documents of one kind that an isolate keeps, at a few kB each. */
const MAX_DOCUMENTS = 200;

const versionedSchema = z.looseObject({ format: z.int() });

/**
 * Returns the document of this key; null when there is none. A read that fails or brings something damaged is
 * tried once more.
 * @throws DeadlineError, SnapshotFormatError, or as storage does
 */
export function readSealedDocument<Document>(
  source: SnapshotSource,
  key: string,
  schema: z.ZodType<Document>,
  context: ReadContext,
): Promise<Document | null> {
  const { storage } = context;
  return readTwice(async () => {
    storage.reads++;
    storage.keys++;
    const bytes = await withDeadline(source.readDocument(key, context), key);
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
  if (version.success) expectVersion(key, version.data.format);
  const result = schema.safeParse(value);
  if (!result.success) throw new SnapshotFormatError(`${key}: ${z.prettifyError(result.error)}`);
  return result.data;
}

/** A document as it was read. */
interface DatedDocument<Document> {
  /** Null: there is none. */
  readonly document: Document | null;
  /** When its read started: it is as old as that. Milliseconds since 1970. */
  readonly readAt: number;
}

/** Documents of one kind, each read now and then, not for each request. */
export class SealedDocuments<Document> {
  private readonly source: SnapshotSource;
  private readonly schema: z.ZodType<Document>;
  private readonly unreadable: string;
  private readonly documents = new BudgetCache<DatedDocument<Document>>(MAX_DOCUMENTS);
  private readonly reads: SharedReads<DatedDocument<Document>>;

  /**
   * @param lifetime milliseconds for which a document that was read is relied on
   * @param unreadable detail of the problem when storage fails
   */
  constructor(
    source: SnapshotSource,
    schema: z.ZodType<Document>,
    lifetime: number,
    unreadable: string,
  ) {
    this.source = source;
    this.schema = schema;
    this.unreadable = unreadable;
    this.reads = new SharedReads((key) => {
      const known = this.documents.get(key);
      return known && Date.now() < known.readAt + lifetime ? known : undefined;
    });
  }

  /** Returns the document of this key; null when there is none. @throws ProblemError storage_unreachable */
  async find(key: string, context: ReadContext): Promise<Document | null> {
    const load = this.reads.loadOne(key, () => this.read(key, context), context);
    try {
      return (await context.storage.measureWait(load)).document;
    } catch (cause) {
      throw new ProblemError('storage_unreachable', this.unreadable, { cause });
    }
  }

  private async read(key: string, context: ReadContext): Promise<DatedDocument<Document>> {
    const readAt = Date.now();
    const document = await readSealedDocument(this.source, key, this.schema, context);
    const known = this.documents.get(key);
    // A read that started later has come before.
    if (known && known.readAt > readAt) return known;
    const fresh = { document, readAt };
    this.documents.set(key, fresh);
    return fresh;
  }
}
