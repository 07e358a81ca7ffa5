/**
 * Makes a client of an OpenAPI document, as a partner would: node generate.mjs DOCUMENT FOLDER.
 * A process of its own, as the generator takes the TypeScript that lies beside it.
 */
import { createClient } from '@hey-api/openapi-ts';

const [input, path] = process.argv.slice(2);

await createClient({
  input,
  output: { path, importFileExtension: '.js' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent', file: false },
});
