/**
 * `GET /openapi.json`: the OpenAPI 3.1 document, made of what the service itself uses when the pages are
 * built.
 *
 * It is the same wherever it is served: nothing in it comes from the request or the environment.
 */
import { DOCS_PATH } from '../../src/http/paths.ts';
import headers from './headers.json' with { type: 'json' };
import { paths } from './paths.ts';
import { componentSchemas } from './schemas.ts';

const DESCRIPTION = `Read-only access to the public profile and settings of rental stores.

Every operation on stores needs an access token with the scope \`stores:read:GET\`, in the header \`x-access-token\` (\`x-api-key\` is accepted too). Tokens that contain \`sk_test_\` work in staging and on a machine of your own, those that contain \`sk_live_\` in production. The operator of the service issues them.

HEAD is answered wherever GET is. Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Later answers may have more fields than the schemas: ignore those that you do not know. For people there is a manual at \`${DOCS_PATH}\`.`;

/** Where `npm start` serves: the one address that is known before a deployment. */
const LOCAL_ADDRESS = 'http://127.0.0.1:8787';

const SERVER = {
  url: '{base_url}',
  description: 'Staging, production, or a service on your own machine.',
  variables: {
    base_url: {
      default: LOCAL_ADDRESS,
      description: `Address of the environment, without a slash at the end. The operator gives you those of staging and production with the token. \`${LOCAL_ADDRESS}\` is where \`npm start\` serves on a developer's machine.`,
    },
  },
};

const INFO = {
  title: 'Rental store directory',
  version: '2.0',
  summary: 'Public profile and settings of rental stores, read-only.',
  description: DESCRIPTION,
  contact: { name: 'The operator of the service, who issued your access token' },
  // No public licence: use is agreed with the operator.
  license: { name: 'For partners of the operator', identifier: 'LicenseRef-Partner' },
};

const TAGS = [
  { name: 'service', description: 'The service itself; no token needed.' },
  { name: 'stores', description: 'The stores.' },
];

/** Returns the document as an object. */
export function openApiDocument() {
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [SERVER],
    tags: TAGS,
    security: [{ accessToken: [] }, { apiKey: [] }],
    paths: paths(),
    components: {
      schemas: componentSchemas(),
      headers: headers.answers,
      securitySchemes: {
        accessToken: securityScheme('x-access-token', 'The header to prefer.'),
        apiKey: securityScheme('x-api-key', 'The same token under its other name.'),
      },
    },
  };
}

function securityScheme(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description };
}
