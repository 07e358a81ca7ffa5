/** The first run: stores published, a token issued, the server up, and a line to paste. */
import { CommandError } from '../cli/command-error.ts';
import { untilStopped } from '../cli/interruption.ts';
import { printJson, printText } from '../cli/output.ts';
import { type CommandContext, defineCommand } from '../cli/run-command.ts';
import type { Stay } from '../release/log-entry.ts';
import { FIXTURES_COMMAND, RESUME_COMMAND } from './demo-release.ts';
import { DevServer, HOST } from './dev-server.ts';
import { type FirstRequests, tryFirstRequests } from './first-request.ts';
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
    ['', `serve on port ${DEFAULT_PORT} until Ctrl-C`],
    ['--port 8080', 'serve on another port'],
  ],
  run: async ({ port }, context) => {
    await expectFreePort(port, HOST);
    const storage = await prepareStorage(context);
    const { signal } = context;
    const server = new DevServer(port);
    try {
      await server.untilHealthy(signal);
      const first = await tryFirstRequests(server.url, storage.token);
      await announce(server.url, first, storage, context);
      await untilInterrupted(server, signal);
    } finally {
      await server.stop();
    }
    return { data: undefined, text: () => 'Stopped.' };
  },
});

async function announce(
  url: string,
  { storeCount, lines }: FirstRequests,
  { kept, isHeld, token }: PreparedStorage,
  { json }: CommandContext,
): Promise<void> {
  if (json)
    return printJson({
      url,
      token,
      storeCount,
      kept: kept?.manifest.release ?? null,
      requests: lines,
    });
  const text = [
    '',
    ...(kept ? describeKept(kept, isHeld) : []),
    `${storeCount} stores on ${url}. Paste into another terminal:`,
    '',
    ...lines.map((line) => `  ${line}`),
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

function describeKept({ manifest, by, publishedAt }: Stay, isHeld: boolean): string[] {
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
