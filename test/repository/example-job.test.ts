/** The job that data teams copy: what is tried again, how staging is checked. guides.test.ts has the check meet a good service. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGroup } from '../support/process-group.ts';
import { runProcess } from '../support/run-tool.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EXAMPLES = resolve(import.meta.dirname, '../../docs/examples');
const RETRY = join(EXAMPLES, 'retry.mjs');

const folder = temporaryFolder();

describe('the workflow', () => {
  it('waits for no approval, as jobs that work in "production" may have to', async () => {
    const text = await readFile(join(EXAMPLES, 'publish.yml'), 'utf8');
    expect(text.match(/^ {4}environment: .+/gm)).toEqual(['    environment: publishing']);
  });

  it.skipIf(process.platform === 'win32')(
    'passes each guard of `allow`, however many blanks part them',
    async () => {
      const text = await readFile(join(EXAMPLES, 'publish.yml'), 'utf8');
      const ends = Array.from(text.matchAll(/ --remote (.*ALLOW.*)$/gm), ([, end = '']) => end);
      expect(ends).toHaveLength(2);
      for (const end of ends) {
        const env = { ALLOW: ' removed=35  hours ' };
        const { stdout } = await runProcess('bash', ['-c', `echo ${end}`], { env });
        expect(stdout).toBe('--allow=removed=35 --allow=hours\n');
      }
    },
  );
});

describe.skipIf(process.platform === 'win32')('retry.mjs', () => {
  it.each([
    [1, ['read_back_failed', 'api_failed'], 3, 0],
    [1, Array<string>(4).fill('publish_conflict'), 3, 1],
    [1, ['suspicious_change'], 1, 1],
    [1, [''], 1, 1],
    [130, ['api_failed'], 1, 130],
  ])(
    'of a command that ends with %i and %j, and then well, makes %i tries, and ends with %i',
    async (status, codes, tries, code) => {
      const count = join(await mkdtemp(join(folder, 'retry-')), 'count');
      await writeFile(count, '');
      const failures = codes.map(
        (each, index) =>
          `${index + 1}) echo 'error: x [${each}]' >&2; echo '  more' >&2; exit ${status};;`,
      );
      const script = `
      echo -n x >> ${count}
      case $(wc -c < ${count}) in
        ${failures.join('\n')}
        *) echo done;;
      esac`;
      const env = { RETRY_WAIT: '0' };
      const outcome = await runProcess(process.execPath, [RETRY, 'sh', '-c', script], { env });
      const said = codes.slice(0, tries).map((each, index) => {
        const next = index + 1 < tries ? `${each} may pass: trying again in 0 s\n` : '';
        return `error: x [${each}]\n  more\n${next}`;
      });
      const stdout = code === 0 ? 'done\n' : '';
      expect(outcome).toEqual({ code, stdout, stderr: said.join('') });
      expect(await readFile(count, 'utf8')).toHaveLength(tries);
    },
  );

  /** Starts retry.mjs, with pauses that only a signal ends. */
  const start = (script: string) =>
    startGroup(process.execPath, [RETRY, 'sh', '-c', script], { env: { RETRY_WAIT: '100000' } });

  it('passes a signal on, and waits for what the command says to it', async () => {
    const { untilPrinted, output, ended, send } = start(
      'trap "echo told >&2; exit 130" TERM; echo ready; while :; do sleep 0.05; done',
    );
    await untilPrinted('ready');
    send('SIGTERM', 'the first');
    expect(await ended).toBe(130);
    expect(output.stderr).toBe('told\n');
  });

  it('tries no more what has met a signal, whatever it fails with then', async () => {
    const fail = 'echo "error: x [api_failed]" >&2; exit 1';
    const { untilPrinted, output, ended, send } = start(
      `trap '${fail}' TERM; echo ready >&2; while :; do sleep 0.05; done`,
    );
    await untilPrinted('ready', 'stderr');
    send('SIGTERM', 'all');
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/error: x \[api_failed\]\n$/);
  });

  it.each([
    ['SIGINT', 'all'],
    ['SIGTERM', 'the first'],
  ] as const)(
    'ends with 130 on %s to %s of its processes in a pause, and tries no more',
    async (signal, whom) => {
      const failing = start('echo try; echo "error: x [api_failed]" >&2; exit 1');
      const { untilPrinted, output, ended, send } = failing;
      await untilPrinted('trying again', 'stderr');
      send(signal, whom);
      // Closed once nothing holds its output any more: the pause has ended too.
      expect(await ended).toBe(130);
      expect(output.stdout).toBe('try\n');
      expect(output.stderr).toMatch(/trying again in 100000 s\n$/);
    },
  );
});

/** Tries an environment. Who finds what it waits for waits no longer; who does not has to give up. */
const smoke = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  runProcess(process.execPath, [join(EXAMPLES, 'smoke-test.mjs'), ...args], {
    env: { ACCESS_TOKEN: 'sk', MAX_WAIT: '300', ...env },
  });

/** A service that answers so until the test ends. */
async function serveUntilFinished(listener: RequestListener): Promise<string> {
  const { origin, close } = await serve(listener);
  onTestFinished(close);
  return origin;
}

describe('smoke-test.mjs', () => {
  it.each([
    ['half an address', { ADDRESS: 'example.com' }, '"example.com", expected the address'],
    ['no token', { ADDRESS: 'http://[::1]:1', ACCESS_TOKEN: '' }, 'put it into the secrets'],
  ])('ends with 1 and says so where there is %s', async (_what, env, words) => {
    expect(await smoke(env)).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  });

  it('ends with 1 where another build is served', async () => {
    const ADDRESS = await serveUntilFinished((_, response) => response.end('<h1>Before</h1>'));
    const tried = await smoke({ ADDRESS });
    expect(tried).toMatchObject({ code: 1, stdout: '' });
    expect(tried.stderr).toContain('/docs is not that of this build: status 200, <h1>Before</h1>');
  });

  const HEADERS = {
    ...{ 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'" },
    ...{ 'referrer-policy': 'no-referrer', 'x-request-id': '1', 'x-snapshot-release': '17-abcdef' },
  };
  const LIVE = { release: '17-abcdef', storeCount: 2 };
  const LIST = { total: 2, docs: [{ id: '5f', slug: 'store-1' }] };

  /** Tries an environment that answers with these; null: a 503. The last health comes again and again. */
  async function check(healths: readonly unknown[], list: unknown = LIST, env = {}) {
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ release: 'abcdef' }));
    const left = [...healths];
    const ADDRESS = await serveUntilFinished((request, response) => {
      const reply = (status: number, body: unknown) =>
        response.writeHead(status, HEADERS).end(JSON.stringify(body));
      if (request.url === '/healthz') {
        const health = left.length > 1 ? left.shift() : left[0];
        return health ? reply(200, health) : reply(503, { detail: 'nothing yet' });
      }
      if (request.headers['x-access-token'] !== 'sk') return reply(401, { code: 'token_missing' });
      reply(200, request.url?.endsWith('/5f') ? LIST.docs[0] : list);
    });
    return smoke({ ADDRESS, ...env }, folder);
  }

  it('waits for a release of which it has the folder', async () => {
    const healths = [null, { release: '16-012345' }, LIVE];
    const { code, stdout } = await check(healths, LIST, { MAX_WAIT: '5000' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/ serves release abcdef\n[\s\S]*lists 2 stores, such as store-1\n$/);
  });

  it.each([
    ['another release', { release: '16-012345' }, LIST, '"release":"16-012345"'],
    ['other stores', LIVE, { ...LIST, total: 1 }, 'has 1 stores, /healthz says 2'],
  ])('ends with 1 on %s', async (_what, health, list, words) => {
    const { code, stderr } = await check([health], list);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });
});
