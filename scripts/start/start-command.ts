/** The first run: stores published, a token issued, the server up, and a line to paste. */
import { once } from 'node:events';
import { CommandError } from '../cli/command-error.ts';
import { printJson, printText } from '../cli/output.ts';
import { type CommandContext, defineCommand } from '../cli/run-command.ts';
import { DevServer, HOST } from './dev-server.ts';
import { type FirstRequests, tryFirstRequests } from './first-request.ts';
import { expectFreePort, parsePort } from './port.ts';
import { prepareStorage } from './prepare-storage.ts';

const DEFAULT_PORT = 8787;

interface StartOptions {
  readonly port: number;
}

export const startCommand = defineCommand<StartOptions>({
  name: 'start',
  summary: 'Publish the fixture stores to local storage and serve them, with a demo token',
  declare: (command) => {
    command.option('--port <number>', 'where to listen', parsePort, DEFAULT_PORT);
  },
  examples: [
    ['', `serve on port ${DEFAULT_PORT} until Ctrl-C`],
    ['--port 8080', 'serve on another port'],
  ],
  run: async ({ port }, context) => {
    await expectFreePort(port, HOST);
    const token = await prepareStorage(context);
    const { signal } = context;
    const server = new DevServer(port);
    try {
      await server.untilHealthy(signal);
      await announce(server.url, await tryFirstRequests(server.url, token), context);
      await untilInterrupted(server, signal);
    } finally {
      await server.stop();
    }
    return { data: { url: server.url, stopped: true }, text: () => 'Stopped.' };
  },
});

async function announce(url: string, first: FirstRequests, context: CommandContext): Promise<void> {
  const { storeCount, lines } = first;
  if (context.json) return printJson({ url, storeCount, requests: lines });
  const text = [
    '',
    `${storeCount} stores on ${url}. Paste into another terminal:`,
    '',
    ...lines.map((line) => `  ${line}`),
    '',
    `Documentation: ${url}/docs. Ctrl-C stops the server.`,
    '',
  ];
  await printText(text.join('\n'));
}

/** @throws CommandError when the server ends although nobody asked it to */
async function untilInterrupted(server: DevServer, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await Promise.race([once(signal, 'abort'), server.ended]);
  if (!signal.aborted) throw new CommandError('wrangler dev ended by itself');
}
