/** Every field of the source format, read off its JSON Schema. */
import { type JsonSchema, sourceJsonSchema } from '../source/source-schema.ts';

/** A field of the source format. */
export interface SourceField {
  /** As fault reports write it: dotted, `*` for any element of an array. */
  readonly path: string;
  readonly schema: JsonSchema;
  /** Whether it may be null. */
  readonly isNullable: boolean;
  /** The name of what it holds, or its elements are, where several fields hold the same. */
  readonly component: string | undefined;
}

/** Every field, in the order of the contract; what holds fields comes before them. */
export function sourceFields(): SourceField[] {
  const root = sourceJsonSchema();
  const follow = (schema: JsonSchema): JsonSchema => {
    const { $ref, ...own } = schema;
    const named = $ref && root.$defs?.[$ref.replace('#/$defs/', '')];
    return named ? { ...named, ...own } : schema;
  };
  const fieldsOf = (schema: JsonSchema, path: string): SourceField[] => {
    const members = Object.entries(schema.properties ?? {});
    return members.flatMap(([key, member]) =>
      fieldAt(member, path === '' ? key : `${path}.${key}`),
    );
  };
  const fieldAt = (found: JsonSchema, path: string): SourceField[] => {
    const { schema, isNullable } = withoutNull(follow(found), follow);
    const items = schema.items && follow(schema.items);
    const holdsFields = schema.properties ?? items?.properties;
    const named = [found, ...(found.anyOf ?? []), schema.items].find((each) => each?.$ref);
    const component = holdsFields && named?.$ref;
    const whole = { ...schema, ...(items ? { items } : {}) };
    const field = { path, isNullable, component, schema: whole };
    return [field, ...fieldsOf(schema, path), ...(items ? fieldsOf(items, `${path}.*`) : [])];
  };
  return fieldsOf(root, '');
}

function withoutNull(schema: JsonSchema, follow: (schema: JsonSchema) => JsonSchema) {
  const { anyOf, type, ...own } = schema;
  const [word, ...words] = [type ?? []].flat().filter((each) => each !== 'null');
  if (Array.isArray(type) && words.length === 0 && word !== undefined) {
    return { schema: { ...own, type: word }, isNullable: true };
  }
  const [only, ...others] = anyOf?.filter((each) => each.type !== 'null') ?? [];
  const isNullable = anyOf !== undefined && only !== undefined && others.length === 0;
  return isNullable ? { schema: { ...follow(only), ...own }, isNullable } : { schema, isNullable };
}
