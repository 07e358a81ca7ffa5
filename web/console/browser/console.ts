/** Starts the library on the document of the service, for requests to this origin alone. */
import { createApiReference } from '../../../node_modules/@scalar/api-reference/dist/browser/standalone.esm.js';
import { mendLibrary } from './mend-library.ts';

/** Samples are in curl, TypeScript and Python; other languages would only bury these. */
const OTHER_LANGUAGES = Object.fromEntries(
  [
    ...[
      'c',
      'csharp',
      'clojure',
      'dart',
      'fsharp',
      'go',
      'http',
      'java',
      'julia',
      'kotlin',
      'node',
    ],
    ...['objc', 'ocaml', 'php', 'powershell', 'r', 'ruby', 'rust', 'swift'],
  ].map((target) => [target, true]),
);

void start();

async function start(): Promise<void> {
  const place = document.querySelector<HTMLElement>('#console');
  if (!place) return;
  const content = await load(place.dataset.document ?? '');
  if (!content) {
    place
      .querySelector('p')
      ?.replaceChildren('The console could not be loaded. Load the page again.');
    return;
  }
  place.replaceChildren();
  mendLibrary(document.body);
  createApiReference(place, {
    // Requests go to the service that serves this page, whatever servers the document names.
    content: { ...content, servers: [{ url: location.origin, description: 'This service' }] },
    authentication: { preferredSecurityScheme: 'accessToken' },
    hiddenClients: {
      ...OTHER_LANGUAGES,
      shell: ['wget', 'httpie'],
      js: ['axios', 'ofetch', 'jquery', 'xhr'],
      python: ['python3', 'aiohttp', 'httpx_sync', 'httpx_async'],
    },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    // Nothing but this origin: no proxy, no fonts, no statistics, no assistant.
    proxyUrl: '',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    hideDarkModeToggle: true,
    darkMode: matchMedia('(prefers-color-scheme: dark)').matches,
    // The reference has the fields, and the head of the page the document.
    hideModels: true,
    documentDownloadType: 'none',
    // The token stays in the memory of this page.
    persistAuth: false,
  });
}

/** The document; null when it does not come, or not whole. */
async function load(path: string): Promise<object | null> {
  try {
    const response = await fetch(path);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
