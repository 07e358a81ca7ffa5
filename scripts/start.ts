/** `npm start`: the first run: stores published, a token issued, the server up, and a line to paste. */
import { LIST_PATH } from '../src/http/paths.ts';
import { CommandError } from './cli/command-error.ts';
import { untilStopped } from './cli/interruption.ts';
import { printJson, printText } from './cli/output.ts';
import { type CommandContext, defineCommand, runCommand } from './cli/run-command.ts';
import type { LogEntry } from './release/log-entry.ts';
import { FIXTURES_COMMAND, RESUME_COMMAND } from './start/demo-release.ts';
import { startDevServer } from './start/dev-server.ts';
import { expectFreePort, parsePort } from './start/port.ts';
import { type PreparedStorage, prepareStorage } from './start/prepare-storage.ts';

const DEFAULT_PORT = 8787;

const startCommand = defineCommand<{ readonly port: number }>('start', {
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
    await expectFreePort(port);
    const storage = await prepareStorage(context);
    const { signal } = context;
    const server = startDevServer(port);
    try {
      await server.untilHealthy(signal);
      await announce(server.url, storage, context);
      // On Ctrl-C it may have ended before us.
      await Promise.race([untilStopped(signal), server.ended]);
      if (!signal.aborted && !server.isRunning()) {
        throw new CommandError('wrangler dev ended by itself');
      }
    } finally {
      await server.stop();
    }
    return { data: undefined, text: () => 'Stopped.' };
  },
});

async function announce(
  url: string,
  { kept, isHeld, storeCount, token }: PreparedStorage,
  { json }: CommandContext,
): Promise<void> {
  if (json) {
    return printJson({ url, token, storeCount, kept: kept?.manifest.release ?? null });
  }
  const text = [
    '',
    ...(kept ? describeKept(kept, isHeld) : []),
    `${storeCount} stores on ${url}. Paste into another terminal:`,
    '',
    `  curl -H 'x-access-token: ${token}' '${url}${LIST_PATH}?limit=2'`,
    '',
    'The examples of the README and of the guides need',
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

function describeKept({ manifest, by, publishedAt }: LogEntry, isHeld: boolean): string[] {
  return [
    `Kept what ${by} has published, ${publishedAt} (release ${manifest.release}). The fixtures come back with`,
    '',
    ...(isHeld ? [`  ${RESUME_COMMAND}`] : []),
    `  ${FIXTURES_COMMAND}`,
    '',
  ];
}

await runCommand('npm start --', startCommand);
