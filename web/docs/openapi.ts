/** The OpenAPI document that pages show, with references followed. */
import { openApiDocument } from '../openapi/document.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Example {
  readonly summary?: string;
  readonly description?: string;
  readonly value: unknown;
}

interface AnswerObject {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, Example>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, AnswerObject>>;
}

interface DocumentObject {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, { readonly get: OperationObject }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const document = openApiDocument() as unknown as DocumentObject;

/** What a reference leads to, with what stands beside the reference on top of it. */
export function follow({ $ref, ...schema }: Schema): Schema {
  if ($ref === undefined) return schema;
  const found = document.components.schemas[$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`the document has nothing at ${$ref}`);
  return follow({ ...found, ...schema });
}

export const operations = Object.entries(document.paths).map(([path, { get }]) => ({
  id: get.operationId,
  title: get.summary,
  description: get.description,
  path,
  // What says nothing of its own needs what the whole document asks for: a token.
  needsToken: get.security === undefined,
  parameters: get.parameters,
  answers: Object.entries(get.responses).map(answerOf),
}));

export type Operation = (typeof operations)[number];

/** What an operation answers with one status. */
export type Answer = ReturnType<typeof answerOf>;

function answerOf([status, { description, headers, content = {} }]: [string, AnswerObject]) {
  const [media] = Object.values(content);
  return {
    status,
    description,
    /** Their names. */
    headers: Object.keys(headers ?? {}),
    /** Undefined where it has no body. */
    schema: media?.schema,
    examples: Object.values(media?.examples ?? {}),
  };
}
