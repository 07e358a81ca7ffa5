/** `snapshot schema`: what an export has to look like, for programs and for people. */
import { defineCommand } from '../cli/run-command.ts';
import { sourcePage } from '../source/source-page.ts';
import { sourceJsonSchema } from '../source/source-schema.ts';

interface SchemaOptions {
  readonly page?: boolean;
}

export const schemaCommand = defineCommand<SchemaOptions>('schema', {
  summary: 'Print the format of store exports as JSON Schema',
  declare: (command) => {
    command.option('--page', 'as a page that people read, with examples: docs/source-format.md');
  },
  examples: [
    ['> store.schema.json', 'for a program that checks one store (npm run --silent …)'],
    ['--page', 'every field, a minimal store and a full one'],
  ],
  run: async ({ page = false }) => {
    if (page) {
      const text = sourcePage().trimEnd();
      return { data: { page: text }, text: () => text };
    }
    const schema = sourceJsonSchema();
    return { data: schema, text: () => JSON.stringify(schema, null, 2) };
  },
});
