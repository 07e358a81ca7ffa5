/** Every field of the source format, read off its JSON Schema. */
import { type JsonSchema, sourceJsonSchema } from './source-schema.ts';

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
  const { $defs = {}, ...root } = sourceJsonSchema();
  // Schemas that have a name stand wherever they are referred to, and keep it as `$ref`.
  const whole = JSON.stringify(root, (_key, value) =>
    value?.$ref ? { ...$defs[value.$ref.replace('#/$defs/', '')], ...value } : value,
  );
  return fieldsOf(JSON.parse(whole), '');
}

function fieldsOf({ properties = {} }: JsonSchema, prefix: string): SourceField[] {
  return Object.entries(properties).flatMap(([key, member]) => {
    const path = prefix + key;
    const field = { path, ...withoutNull(member) };
    const { schema } = field;
    const { items = {} } = schema;
    const component = schema.properties ? schema.$ref : items.properties && items.$ref;
    const below = [...fieldsOf(schema, `${path}.`), ...fieldsOf(items, `${path}.*.`)];
    return [{ ...field, component }, ...below];
  });
}

function withoutNull(schema: JsonSchema): Pick<SourceField, 'schema' | 'isNullable'> {
  const { anyOf, type, ...own } = schema;
  const all = anyOf ?? [type ?? []].flat().map((word) => ({ type: word }));
  const [only, ...others] = all.filter((each) => each.type !== 'null');
  const isNullable = only !== undefined && others.length === 0 && all.length > 1;
  return { schema: isNullable ? { ...only, ...own } : schema, isNullable };
}
