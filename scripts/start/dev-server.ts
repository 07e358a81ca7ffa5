/** `wrangler dev` as a child process: started, waited for, stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../cli/command-error.ts';
import {
  OFFLINE_VARIABLES,
  PROJECT_FOLDER,
  stateFolder,
  wranglerProgram,
} from '../cli/platform.ts';
import { HOST } from './port.ts';

/** Milliseconds that the server may take to its first good answer; in a fresh clone it builds the pages. */
const START_LIMIT = 120_000;
const POLL_INTERVAL = 150;
const POLL_LIMIT = 5_000;

const STANDARD_ERROR = 2;

/** Starts `wrangler dev` for development. What it prints goes to standard error. */
export function startDevServer(port: number) {
  const url = `http://${HOST}:${port}`;
  // The empty environment is the top level of wrangler.toml, whatever CLOUDFLARE_ENV says.
  const where = ['--env', '', '--ip', HOST, '--port', String(port), '--persist-to', stateFolder()];
  const order = ['dev', ...where, '--show-interactive-dev-session=false'];
  const child = spawn(process.execPath, [wranglerProgram(), ...order], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, ...OFFLINE_VARIABLES },
    // Without standard input wrangler asks nothing and leaves the keyboard to us.
    stdio: ['ignore', STANDARD_ERROR, STANDARD_ERROR],
  });
  // Whatever ends this process, no server is left behind on the port.
  process.once('exit', () => child.kill());
  const ended = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    url,
    /** Settles when the server has ended, however it did. */
    ended,
    isRunning,

    /**
     * Waits until /healthz answers 200.
     * @throws CommandError when the server ends or takes too long, the reason of `signal`
     */
    async untilHealthy(signal: AbortSignal): Promise<void> {
      const deadline = Date.now() + START_LIMIT;
      for (;;) {
        const answer = await askHealth(url);
        if (answer === '200') return;
        signal.throwIfAborted();
        if (!isRunning()) throw new CommandError('wrangler dev ended before it answered');
        if (Date.now() > deadline) {
          throw new CommandError(`${url}/healthz is not well after two minutes: ${answer}`);
        }
        await sleep(POLL_INTERVAL);
      }
    },

    /** Ends the server and waits until it has let go of its port. */
    async stop(): Promise<void> {
      child.kill();
      await ended;
    },
  };
}

async function askHealth(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(POLL_LIMIT) });
    await response.arrayBuffer();
    return String(response.status);
  } catch {
    return 'no answer';
  }
}
