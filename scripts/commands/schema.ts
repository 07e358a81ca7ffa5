/** `snapshot schema`: what an export has to look like, for programs; docs/source-format.md is for people. */
import { defineCommand } from '../cli/run-command.ts';
import { sourceJsonSchema } from '../source/source-schema.ts';

export const schemaCommand = defineCommand('schema', {
  summary: 'Print the format of store exports as JSON Schema; docs/source-format.md describes it',
  examples: [['> store.schema.json', 'writes a file for programs that check stores']],
  run: async () => {
    const schema = sourceJsonSchema();
    return { data: schema, text: () => JSON.stringify(schema, null, 2) };
  },
});
