/** The OpenAPI document that pages show, with references followed. */
import { openApiDocument } from '../openapi/document.ts';
import type { ResponseObject } from '../openapi/operations.ts';
import type { Schema } from '../openapi/schemas.ts';

export const document = openApiDocument();

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
export type Parameter = Operation['parameters'][number];

/** What an operation answers with one status. */
export type Answer = ReturnType<typeof answerOf>;

function answerOf([status, { description, headers, content }]: [string, ResponseObject]) {
  const [media] = Object.values(content ?? {});
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
