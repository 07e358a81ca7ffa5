/** `GET /openapi.json`: the OpenAPI 3.1 document, generated from what the service itself uses. */
import type { Reply } from '../exchange.ts';
import { DOCS_PATH } from '../paths.ts';
import { HEADER_COMPONENTS, HEADER_PARAMETERS } from './headers.ts';
import { paths } from './operations.ts';
import { problemResponses } from './problem-responses.ts';
import { componentSchemas, type Json } from './schemas.ts';

const DESCRIPTION = `Read-only access to the public profile and settings of rental stores.

Every operation on stores needs an access token with the scope \`stores:read:GET\`, in the header \`x-access-token\` (\`x-api-key\` is accepted too). HEAD is answered wherever GET is. Errors are \`application/problem+json\` (RFC 9457).`;

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };

/** Made on first use: most isolates are never asked for it. */
let documentText: string | undefined;

export function openApiReply(): Reply {
  documentText ??= JSON.stringify(openApiDocument());
  return { status: 200, body: documentText, headers: HEADERS };
}

export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Rental store directory', version: '2.0', description: DESCRIPTION },
    servers: [{ url: '/', description: 'The environment that serves this document.' }],
    externalDocs: { url: DOCS_PATH, description: 'Documentation' },
    tags: [
      { name: 'stores', description: 'The stores.' },
      { name: 'service', description: 'The service itself; no token needed.' },
    ],
    security: [{ accessToken: [] }, { apiKey: [] }],
    paths: paths(),
    components: {
      schemas: componentSchemas(),
      parameters: HEADER_PARAMETERS,
      headers: HEADER_COMPONENTS,
      responses: problemResponses(),
      securitySchemes: {
        accessToken: securityScheme('x-access-token', 'The header to prefer.'),
        apiKey: securityScheme('x-api-key', 'The same token under its other name.'),
      },
    },
  };
}

function securityScheme(name: string, description: string): Json {
  return { type: 'apiKey', in: 'header', name, description };
}
