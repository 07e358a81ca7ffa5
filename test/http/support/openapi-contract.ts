/**
 * Holds responses against the OpenAPI document that the service itself serves, with ajv: none of the
 * schemas that the service validates by has a part in it.
 */
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { problemBody } from '../../../src/http/problem-body.ts';
import type { openApiDocument } from '../../../web/openapi/document.ts';
import { remembering } from '../../support/remembering.ts';
import type { Stage } from '../../support/worker/harness.ts';

type OpenApiDocument = ReturnType<typeof openApiDocument>;

/** A header; one that is not on every answer says so. */
interface HeaderObject {
  readonly required: boolean;
  readonly schema: { readonly type: string };
}

const DOCUMENT_ID = 'https://stores.test/openapi.json';

/** Headers that some answers have and others do not: where they are sent they are described. */
const CONDITIONAL_HEADERS = [
  'allow',
  'link',
  'ratelimit-policy',
  'retry-after',
  'server-timing',
  'www-authenticate',
  'x-snapshot-release',
];

export class OpenApiContract {
  readonly document: OpenApiDocument;
  private readonly ajv: Ajv2020;

  constructor(document: OpenApiDocument) {
    this.document = document;
    // The document is no schema itself, only holds some: strictness would trip over the rest.
    this.ajv = addFormats(new Ajv2020({ strict: false, allErrors: true, coerceTypes: false }));
    this.ajv.addSchema(document, DOCUMENT_ID);
  }

  static async servedBy(stage: Stage): Promise<OpenApiContract> {
    const response = await stage.request('/openapi.json');
    return new OpenApiContract(await response.json<OpenApiDocument>());
  }

  /** What keeps `value` from following `schema`, or nothing. */
  private faults(schema: object, value: unknown): string[] {
    const validate = this.validatorOf(JSON.stringify(schema));
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** Compiles a schema, by its text. References are relative to the document. */
  private readonly validatorOf = remembering((schema: string) =>
    this.ajv.compile(JSON.parse(schema.replaceAll('"$ref":"#', `"$ref":"${DOCUMENT_ID}#`))),
  );

  /** Expects a response of an operation to be one that the document describes, body and headers. */
  async expectDescribed(path: string, response: Response, method = 'GET'): Promise<void> {
    const described = this.document.paths[path]?.get.responses[response.status];
    if (!described) throw new Error(`${path}: status ${response.status} is not described`);
    const { headers = {}, content } = described;
    const known = this.document.components.headers as Record<string, HeaderObject>;
    for (const [name, described] of Object.entries(headers)) {
      const { schema, required } = (
        'required' in described ? described : known[name]
      ) as HeaderObject;
      const text = response.headers.get(name);
      if (text === null && !required) continue;
      const value = schema.type === 'integer' ? Number(text) : text;
      expect([name, ...this.faults(schema, value)]).toEqual([name]);
    }
    const sent = CONDITIONAL_HEADERS.filter((name) => response.headers.has(name));
    expect(sent.filter((name) => !(name in headers))).toEqual([]);
    if (!content || method === 'HEAD') {
      expect(await response.text()).toBe('');
      return;
    }
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const media = content[type];
    if (!media) throw new Error(`${path}: content type ${type} is not described`);
    const body = await response.json();
    expect(this.faults(media.schema, body)).toEqual([]);
    if (type === 'application/problem+json') {
      // Among the examples, but for what hangs on the request.
      const {
        detail: _,
        instance: __,
        errors: ___,
        ...same
      } = body as ReturnType<typeof problemBody>;
      const values = Object.values(media.examples).map(({ value }) => value);
      expect(values).toContainEqual(expect.objectContaining(same));
    }
  }
}
