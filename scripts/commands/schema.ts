/** `snapshot schema`: what an export has to look like, for programs; docs/source-format.md is for people. */
import { sourceJsonSchema } from '../source/source-schema.ts';

export async function run() {
  const schema = sourceJsonSchema();
  return { data: schema, text: () => JSON.stringify(schema, null, 2) };
}
