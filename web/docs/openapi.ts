/** The OpenAPI document that pages show, with references followed. */
import { openApiDocument } from '../openapi/document.ts';
import type { Parameter } from '../openapi/paths.ts';
import type { ResponseObject } from '../openapi/responses.ts';
import type { Schema } from '../openapi/schemas.ts';

export const document = openApiDocument();

/** Returns the schema that a reference leads to, changed by the members beside the reference. */
export function follow({ $ref, ...schema }: Schema): Schema {
  if ($ref === undefined) return schema;
  return follow({ ...document.components.schemas[$ref.split('/').at(-1) ?? ''], ...schema });
}

export const operations = Object.entries(document.paths).map(([path, { get }]) => ({
  ...get,
  path,
  // An operation without `security` needs what the whole document asks for: a token.
  needsToken: get.security === undefined,
}));

export type Operation = (typeof operations)[number];

/** Returns the parameters of an operation by the titles of their groups. */
export function groupsOf({ parameters }: Operation): ReadonlyMap<string, readonly Parameter[]> {
  return Map.groupBy(parameters, (each) => {
    if (each.in === 'header') return 'Headers of the request';
    const name = each['x-group'] ?? 'of this operation';
    return name.charAt(0).toUpperCase() + name.slice(1);
  });
}

/** Returns the examples of an answer, which it has where it has a body. */
export const examplesOf = ({ content = {} }: ResponseObject) =>
  Object.values(content).flatMap(({ examples }) => Object.values(examples));
