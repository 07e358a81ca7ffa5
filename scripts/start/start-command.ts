/** The first run: stores published, a token issued, the server up, and a line to paste. */
import { LIST_PATH } from '../../src/http/paths.ts';
import { CommandError } from '../cli/command-error.ts';
import { untilStopped } from '../cli/interruption.ts';
import { printJson, printText } from '../cli/output.ts';
import { type CommandContext, defineCommand } from '../cli/run-command.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { FIXTURES_COMMAND, RESUME_COMMAND } from './demo-release.ts';
import { DevServer, HOST } from './dev-server.ts';
import { expectFreePort, parsePort } from './port.ts';
import { type PreparedStorage, prepareStorage } from './prepare-storage.ts';

const DEFAULT_PORT = 8787;

interface StartOptions {
  readonly port: number;
}

export const startCommand = defineCommand<StartOptions>('start', {
  summary:
    'Publish the fixture stores to local storage, unless you have published others, and serve them with a new demo token',
  declare: (command) => {
    command.option('--port <number>', 'where to listen', parsePort, DEFAULT_PORT);
  },
  examples: [
    ['', `serves on port ${DEFAULT_PORT} until Ctrl-C`],
    ['--port 8080', 'serves on another port'],
  ],
  run: async ({ port }, context) => {
    await expectFreePort(port, HOST);
    const storage = await prepareStorage(context);
    const { signal } = context;
    const server = new DevServer(port);
    try {
      await server.untilHealthy(signal);
      await announce(server.url, storage, context);
      await untilInterrupted(server, signal);
    } finally {
      await server.stop();
    }
    return { data: undefined, text: () => 'Stopped.' };
  },
});

async function announce(
  url: string,
  { kept, isHeld, token }: PreparedStorage,
  { json }: CommandContext,
): Promise<void> {
  const { storeCount, requests } = await tryFirstRequests(url, token);
  if (json) {
    const release = kept?.manifest.release ?? null;
    return printJson({ url, token, storeCount, kept: release, requests });
  }
  const text = [
    '',
    ...(kept ? describeKept(kept, isHeld) : []),
    `${storeCount} stores on ${url}. Paste into another terminal:`,
    '',
    ...requests.map((line) => `  ${line}`),
    '',
    'The examples of the README and of the guides run as they stand after',
    '',
    `  export BASE_URL=${url} TOKEN=${token}`,
    '',
    'The token is new at each start, and that of the last one is no longer accepted.',
    '',
    `  Find stores on a map:  ${url}/explore#token=${token}`,
    `  Documentation:         ${url}/docs`,
    '',
    'Ctrl-C stops the server.',
    '',
  ];
  await printText(text.join('\n'));
}

/**
 * Asks the server at `url` as the holder of `token` will.
 * @returns how many stores it has, and the first requests of a newcomer as lines for a shell
 * @throws CommandError when it refuses
 */
async function tryFirstRequests(url: string, token: string) {
  const response = await fetch(`${url}${LIST_PATH}?limit=1&fields=slug`, {
    headers: { 'x-access-token': token },
  });
  const body = await response.text();
  if (!response.ok) {
    throw new CommandError(`the first request was answered ${response.status}: ${body}`);
  }
  const { total, docs }: { total: number; docs: { slug: string }[] } = JSON.parse(body);
  const paths = [`${LIST_PATH}?limit=2`, ...docs.map(({ slug }) => `${LIST_PATH}/${slug}`)];
  const requests = paths.map((path) => `curl -H 'x-access-token: ${token}' '${url}${path}'`);
  return { storeCount: total, requests };
}

function describeKept({ manifest, by, publishedAt }: LogEntry, isHeld: boolean): string[] {
  return [
    `Kept what ${by} has published, ${publishedAt} (release ${manifest.release}). The fixtures come back with`,
    '',
    ...(isHeld ? [`  ${RESUME_COMMAND}`] : []),
    `  ${FIXTURES_COMMAND}`,
    '',
  ];
}

/** @throws CommandError when the server ends without being told to */
async function untilInterrupted(server: DevServer, signal: AbortSignal): Promise<void> {
  await Promise.race([untilStopped(signal), server.ended]);
  if (!signal.aborted && !server.isRunning) throw new CommandError('wrangler dev ended by itself');
}
