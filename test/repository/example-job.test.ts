/** The job that data teams copy: who gets the API token, what is tried again, how staging is checked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProcess } from '../support/run-tool.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EXAMPLES = resolve(import.meta.dirname, '../../docs/examples');
const RETRY = join(EXAMPLES, 'retry.mjs');

const folder = temporaryFolder();

describe('the workflow', () => {
  it('gives the API token to steps that work on Cloudflare, and to no other', async () => {
    const text = await readFile(join(EXAMPLES, 'publish.yml'), 'utf8');
    const [before = '', ...steps] = text.split(/^ {6}- /m);
    expect(before).not.toContain('secrets.CLOUDFLARE');
    expect(text).not.toContain('CLOUDFLARE_DEPLOY_TOKEN');
    // Who deploys may have to be approved in "production"; a job of every hour cannot wait for that.
    expect(before).toMatch(/^ {4}environment: publishing$/m);
    expect(steps.length).toBeGreaterThan(7);
    for (const step of steps) {
      const has = step.includes('secrets.CLOUDFLARE_API_TOKEN');
      expect([step, has]).toEqual([step, step.includes('--remote')]);
    }
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
  /** A command that fails with these lines, one a try, and then succeeds. */
  async function failing(status: number, ...errors: readonly string[]) {
    const count = join(await mkdtemp(join(folder, 'retry-')), 'count');
    await writeFile(count, '');
    const script = `
      echo -n x >> ${count}
      case $(wc -c < ${count}) in
        ${errors.map((error, index) => `${index + 1}) echo '${error}' >&2; echo '  more' >&2; exit ${status};;`).join('\n')}
        *) echo done;;
      esac`;
    const outcome = await runProcess(process.execPath, [RETRY, 'sh', '-c', script], {
      env: { RETRY_WAIT: '0' },
    });
    return { ...outcome, tries: (await readFile(count, 'utf8')).length };
  }

  it('passes on what succeeds', async () => {
    expect(await failing(1)).toEqual({ code: 0, stdout: 'done\n', stderr: '', tries: 1 });
  });

  it('tries three times what may pass', async () => {
    const passing = await failing(1, 'error: no answer [api_unreachable]', 'error: x [api_failed]');
    expect(passing).toMatchObject({ code: 0, stdout: 'done\n', tries: 3 });
    expect(passing.stderr).toContain('api_unreachable may pass: trying again in 0 s');
    const error = 'error: somebody else [publish_conflict]';
    expect(await failing(1, error, error, error, error)).toMatchObject({ code: 1, tries: 3 });
  });

  it.each([
    [1, 'error: 2 of 3 live stores would go [suspicious_change]'],
    [1, 'error: no code'],
    [2, 'error: unknown option [api_failed]'],
    [130, 'error: interrupted [api_failed]'],
  ])('tries no more after %i and %s', async (status, error) => {
    const outcome = await failing(status, error);
    expect(outcome).toEqual({ code: status, stdout: '', stderr: `${error}\n  more\n`, tries: 1 });
  });

  /** Starts retry.mjs in a process group of its own, as a terminal does, with pauses that only a signal ends. */
  function start(script: string) {
    const env = { ...process.env, RETRY_WAIT: '100000' };
    const child = spawn(process.execPath, [RETRY, 'sh', '-c', script], { detached: true, env });
    const group = -Number(child.pid);
    onTestFinished(() => {
      // What a test that fails has left.
      if (child.exitCode === null) process.kill(group, 'SIGKILL');
    });
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (data) => {
        printed[name] += data;
      });
    }
    const send = {
      'the script alone': (signal: NodeJS.Signals) => child.kill(signal),
      'the group': (signal: NodeJS.Signals) => process.kill(group, signal),
    };
    return { child, printed, send };
  }

  it('passes a signal on, and waits for what the command says to it', async () => {
    const { child, printed, send } = start(
      'trap "echo told >&2; exit 130" TERM; echo ready; while :; do sleep 0.05; done',
    );
    await once(child.stdout, 'data');
    send['the script alone']('SIGTERM');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(printed.stderr).toBe('told\n');
  });

  it('tries no more what has met a signal, whatever it fails with then', async () => {
    const fail = 'echo "error: x [api_failed]" >&2; exit 1';
    const { child, printed, send } = start(
      `trap '${fail}' TERM; echo ready >&2; while :; do sleep 0.05; done`,
    );
    await once(child.stderr, 'data');
    send['the group']('SIGTERM');
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(printed.stderr).toMatch(/error: x \[api_failed\]\n$/);
  });

  it.each([
    ['SIGINT', 'the group'],
    ['SIGINT', 'the script alone'],
    ['SIGTERM', 'the group'],
    ['SIGTERM', 'the script alone'],
  ] as const)('ends with 130 on %s to %s in a pause, and tries no more', async (signal, whom) => {
    const { child, printed, send } = start('echo try; echo "error: x [api_failed]" >&2; exit 1');
    while (!printed.stderr.includes('trying again')) await once(child.stderr, 'data');
    send[whom](signal);
    // Closed once nothing holds its output any more: the pause has ended too.
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(printed.stdout).toBe('try\n');
    expect(printed.stderr).toMatch(/trying again in 100000 s\n$/);
  });
});

describe('check-release.mjs', () => {
  /** Checks an environment that answers with these, the last one again and again. */
  async function check(
    healths: readonly unknown[],
    list: { status?: number; body: unknown },
    longestWait = '300',
  ) {
    const snapshot = join(folder, 'snapshot');
    await mkdir(snapshot, { recursive: true });
    await writeFile(
      join(snapshot, 'manifest.json'),
      JSON.stringify({ release: 'abcdef', storeCount: 2 }),
    );
    const left = [...healths];
    const tokens: unknown[] = [];
    const { origin, close } = await serve((request, response) => {
      const isHealth = request.url === '/healthz';
      if (!isHealth) tokens.push(request.headers['x-access-token']);
      const health = left.length > 1 ? left.shift() : left[0];
      const status = isHealth ? (health === null ? 503 : 200) : (list.status ?? 200);
      const body = isHealth ? (health ?? { detail: 'nothing yet' }) : list.body;
      response.writeHead(status).end(JSON.stringify(body));
    });
    onTestFinished(close);
    // Who finds the release waits no longer; who does not has to give up.
    const env = { ACCESS_TOKEN: 'sk', LONGEST_WAIT: longestWait };
    const program = join(EXAMPLES, 'check-release.mjs');
    const outcome = await runProcess(process.execPath, [program, snapshot, origin], { env });
    return { ...outcome, tokens };
  }

  const LIST = { body: { total: 2, docs: [{ slug: 'store-1' }] } };

  it('waits for the release, by its id or its whole name', async () => {
    for (const name of ['abcdef', '17-abcdef']) {
      const { code, stdout, tokens } = await check(
        [null, { release: '16-012345' }, { release: name }],
        LIST,
        '5000',
      );
      expect([code, tokens]).toEqual([0, ['sk']]);
      expect(stdout).toContain(`serves release ${name}\nand lists 2 stores, such as store-1`);
    }
  });

  it.each([
    ['no address', '', 'sk', 'fill in its variable'],
    ['half an address', 'staging.example.com', 'sk', 'got "staging.example.com", expected'],
    ['no token', 'http://127.0.0.1:1', '', 'put it into the secrets'],
  ])('ends with 1 before it waits where there is %s', async (_what, address, token, words) => {
    // There is no folder either: nothing is looked at before.
    const args = [join(EXAMPLES, 'check-release.mjs'), join(folder, 'none'), address];
    const env = { ACCESS_TOKEN: token, LONGEST_WAIT: '100000000' };
    const { code, stderr } = await runProcess(process.execPath, args, { env });
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });

  it.each([
    ['another release', [{ release: '16-012345' }], LIST, 'got release 16-012345, expected'],
    ['nothing', [null], LIST, 'got nothing yet'],
    [
      'a refusal',
      [{ release: 'abcdef' }],
      { status: 401, body: { detail: 'no token' } },
      'answered 401: no token',
    ],
    [
      'other stores',
      [{ release: 'abcdef' }],
      { body: { total: 1, docs: [{}] } },
      'has 1 stores, expected 2',
    ],
  ])('ends with 1 on %s', async (_what, healths, list, words) => {
    const { code, stderr } = await check(healths, list);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });
});
