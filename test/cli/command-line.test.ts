/** What every command has in common: usage, paths, processes of its own, output that is cut off; and "validate", the simplest of them. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { callTool } from '../support/call-tool.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { programOf, runProcess, runTool, startTool } from '../support/run-tool.ts';
import { FAULTS, SUMMARY, useSnapshotTool } from '../support/snapshot-tool.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();

describe('wrong usage', () => {
  it.each<[string[], string]>([
    [['validate'], "required option '--source <file>' not specified (see --help)"],
    [['list', '--remot'], "unknown option '--remot' (Did you mean --remote?) (see --help)"],
    [['validat'], "unknown command 'validat' (Did you mean validate?) (see --help)"],
    [['validate', '--source', 'a', '--source', 'b'], '--source is given twice; it takes one value'],
    ...['removed=-1', 'added=x', 'x'].map((guard): [string[], string] => [
      ['publish', '--source', 'x', `--allow=${guard}`],
      `'${guard}' is invalid. Expected one of removed, added, `,
    ]),
    [['publish'], 'name the stores: --source or --snapshot'],
    [['publish', 'x.ndjson'], 'Expected 0 arguments but got 1'],
    [
      ['publish', '--source', 'x', '--snapshot', 'y'],
      "option '--snapshot <folder>' cannot be used with option '--source <file>' (see --help)",
    ],
    [
      ['publish', '--snapshot', 'y', '--skip-invalid'],
      "option '--snapshot <folder>' cannot be used with option '--skip-invalid' (see --help)",
    ],
    [
      ['publish', '--snapshot', '/no/folder'],
      '"/no/folder" is no snapshot of this version: build it again',
    ],
    [['build', '--source', 'a', '--out', ''], 'Expected the name of a file or folder.'],
    [['list', '--env', '\u001b[2J'], "argument '\\u001b[2J' is invalid."],
    [['list', '--remote'], 'development is local'],
  ])('%j ends with 2 and one line, and as JSON', async (args, message) => {
    const told = await tool.snapshot(args);
    expect(told).toMatchObject({ code: 2, stdout: '' });
    expect(told.stderr).toMatch(/^error: [^\n]*\n$/);
    expect(told.stderr).toContain(message);
    const { code, stderr, data } = await tool.json(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(data.error.message).toContain(message.replace(' (see --help)', ''));
  });

  it('is not to repeat a flag', async () => {
    const flags = ['validate', '--source', tool.goodFile, '--verbose', '--verbose'];
    expect((await tool.snapshot(flags)).code).toBe(0);
  });

  it('of no command is answered with the help', async () => {
    const stderr = expect.stringContaining('Usage: npm run snapshot --');
    expect(await tool.snapshot([])).toEqual({ code: 2, stdout: '', stderr });
  });

  it('is told with the place in the code by --verbose alone', async () => {
    const args = ['validate', '--source', '/no/file'];
    expect((await tool.snapshot([...args, '--verbose'])).stderr).toMatch(
      /^error: .*\n.*\n +at .*open-source/,
    );
    expect((await tool.snapshot(args)).stderr).not.toContain(' at ');
  });
});

/** What npm leaves in the environment of a script. */
const within = (variables: Readonly<Record<string, string>>) => ({
  env: { STORE_DIRECTORY_STATE: tool.state, npm_lifecycle_event: 'snapshot', ...variables },
});

describe('an option that npm has taken', () => {
  it.each([
    ['snapshot rollback', { npm_config_env: 'production', npm_config_remote: 'true' }],
    ['snapshot rollback production', { npm_config_env: 'true' }],
    // Before that is missing for want of it.
    ['token issue', { npm_config_partner: 'Acme' }],
  ])('%s %j is refused with how to type it', async (line, variables) => {
    const [name = '', ...args] = line.split(' ');
    const told = Object.keys(variables).join(', ');
    const options = told.replaceAll('npm_config_', '--');
    const stderr = `error: npm has taken ${options} for itself: begin with "npm run ${name} -- ${args[0]}", then type the options\n`;
    const outcome = await callTool(name, args, within(variables));
    expect(outcome).toEqual({ code: 2, stdout: '', stderr });
  });

  it('is no matter where npm does not run the command, or has taken what the command does not take', async () => {
    const alone = { npm_config_env: 'production', npm_lifecycle_event: '' };
    for (const variables of [alone, { npm_config_source: 'x' }]) {
      expect((await callTool('snapshot', ['list'], within(variables))).code).toBe(0);
    }
  });

  it('is refused as npm itself leaves it', async () => {
    const { env } = within({});
    const line = ['run', 'snapshot', 'rollback', '--env=staging', '--remote'];
    const { code, stderr } = await runProcess('npm', line, { env });
    expect(code).toBe(2);
    expect(stderr).toContain('begin with "npm run snapshot -- rollback", then type the options');
  });
});

describe('help', () => {
  it.each([
    ['start', 'Usage: npm start --', ['  npm start -- --port 8080\n', '  npm start\n']],
    ['fixtures', 'Usage: npm run fixtures --', ['  npm run fixtures -- --count 2500']],
    ['snapshot build', 'Usage: npm run snapshot -- build', ['Exit codes: 0 done, 1 failed']],
    ['client', 'Usage: npm run client --', ['/dist")\n']],
  ])('of %s shows what to type', async (name, usage, examples) => {
    const [tool = '', ...command] = name.split(' ');
    const { code, stdout } = await callTool(tool, [...command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(usage);
    for (const example of examples) expect(stdout).toContain(example);
  });

  it.each(['snapshot', 'token'])('of each command of %s has examples', async (tool) => {
    const [, list = ''] = (await callTool(tool, ['--help'])).stdout.split('\nCommands:\n');
    const commands = Array.from(list.matchAll(/^ {2}(?!help)(\w+) /gm), ([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(4);
    for (const name of commands) {
      const { stdout } = await callTool(tool, [name, '--help']);
      expect(stdout).toMatch(new RegExp(`\\nExamples:\\n  npm run (--silent )?${tool} -- ${name}`));
    }
  });

  it('waits for nothing that runs a command', async () => {
    const calls = [
      ['snapshot', '--help'],
      ['snapshot', 'help', 'publish'],
      ['token', 'issue', '--help'],
      ...['start', 'deploy', 'client'].map((name) => [name, '--help']),
    ].map(([name = '', ...args]) => [programOf(name), ...args]);
    // One process for all: only the program itself is loaded again.
    const source = `import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });
      for (const [index, [program, ...args]] of ${JSON.stringify(calls)}.entries()) {
        process.argv = ['node', program, ...args];
        await import(program + '?' + index);
      }`;
    const program = ['--input-type=module', '--eval', source];
    const { code, stdout, stderr } = await runProcess(process.execPath, program);
    expect([code, stdout.match(/^Usage: /gm)]).toEqual([0, Array(6).fill('Usage: ')]);
    const packages = stderr.match(/(?<=node_modules\/)[^/\n]+/g) ?? [];
    expect(new Set(packages)).toEqual(new Set(['commander']));
    const folders = stderr.match(/(?<=\/scripts\/)[^/\n]+(?=\/)/g) ?? [];
    // The help of publish has the guards by name, which need values-in.ts.
    expect(['cli', 'guards', 'source']).toEqual(expect.arrayContaining(folders));
    expect(stderr).not.toMatch(/\/(review-change|read-source|source-stores)\.ts/);
  });

  it('of a command is shown by help, too, and the version by --version', async () => {
    const shown = await tool.snapshot(['publish', '--help']);
    expect(await tool.snapshot(['help', 'publish'])).toEqual(shown);
    expect(await tool.snapshot(['help', 'nothing'])).toMatchObject({ code: 2, stdout: '' });
    const { stdout } = await tool.snapshot(['--version']);
    expect(stdout).toBe(`${manifest.version}\n`);
    expect((await tool.snapshot(['prune', '--version', '1', '--dry-run'])).stderr).toContain(
      'nothing of version',
    );
  });

  it('is shown whatever else is wrong', async () => {
    expect(await tool.snapshot(['validate', '--nope', '--help'])).toMatchObject({ code: 0 });
  });
});

describe('a relative path', () => {
  const callThere = (...args: string[]) =>
    callTool('snapshot', args, { env: { INIT_CWD: tool.folder } });

  it('is meant where npm was called', async () => {
    const source = basename(tool.goodFile);
    const { code, stdout } = await callThere('validate', '--source', source);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${tool.goodFile}: 3 stores, no fault\n` });
    expect((await callThere('build', '--source', source, '--out', 'built')).code).toBe(0);
    expect(await readdir(join(tool.folder, 'built'))).toContain('manifest.json');
  });

  it('is printed whole where nothing is', async () => {
    const missing = await callThere('validate', '--source', 'no.ndjson');
    const file = join(tool.folder, 'no.ndjson');
    const stderr = expect.stringContaining(`"${file}": no such file or directory`);
    expect(missing).toMatchObject({ code: 2, stderr });
  });
});

it('the name of a file neither paints the terminal nor is a command of the job', async () => {
  const name = join(tool.folder, '\u001b[2J\u009b2J\n::stop-commands::x ##[error].ndjson');
  await writeFile(name, await readFile(tool.goodFile));
  const shown = '\\u001b[2J\\u009b2J\\u000a::stop-commands::x #\\u0023[error].ndjson';
  const found = await tool.snapshot(['validate', '--source', name]);
  expect(found.stdout).toContain(`${shown}: 3 stores, no fault`);
  const missing = await tool.snapshot(['validate', '--source', `${name}.gz`]);
  expect(missing.stderr).toContain(`${shown}.gz": no such file or directory`);
});

// As people and scripts run them. What commands say and refuse in every case is tested within the tests' own process.
it.each([
  ['snapshot', ['validate', '--source', '-'], ndjson([buildStore(1)])],
  ['fixtures', ['--count', '20', '--out', '-'], ''],
] as const)('%s %j says the same in a process of its own, and ends', async (...row) => {
  const [program, args, stdin] = row;
  const options = { env: { NO_COLOR: '1' }, stdin };
  const apart = await runTool(program, args, options);
  expect(apart.code).toBe(0);
  expect(await callTool(program, args, options)).toEqual(apart);
});

/** What a tool says, and how it ends, where its standard output is read no more. */
async function runUnread(name: string, ...args: readonly string[]) {
  const { child, output, ended } = startTool(name, args, { STORE_DIRECTORY_STATE: tool.state });
  child.stdout.destroy();
  return { code: await ended, said: output.stderr };
}

describe('output whose reader has gone', () => {
  it('leaves the exit code of faults as it is', async () => {
    // More than a pipe holds.
    const stores = Array.from({ length: 600 }, (_, index) => buildStore(index, { slug: 7 }));
    await writeFile(tool.faultyFile, ndjson(stores));
    const found = await runUnread('snapshot', 'validate', '--source', tool.faultyFile, '--json');
    expect(found).toEqual({ code: 1, said: '' });
  });

  it('is called lost when it held a secret', async () => {
    const { code, said } = await runUnread('token', 'issue', '--partner', 'Acme');
    expect(code).toBe(1);
    expect(said).toMatch(/error: the secret of token [0-9a-f]{12} was not read: revoke it/);
  });
});

it('local storage that cannot be used is told in one line', async () => {
  for (const [path, reason] of [
    [tool.goodFile, 'not a directory'],
    [join(tool.goodFile, 'state'), 'not a directory'],
    [join(tool.folder, 'x'.repeat(300)), 'name too long'],
  ] as const) {
    const env = { STORE_DIRECTORY_STATE: path };
    const told = await callTool('snapshot', ['list'], { env });
    expect(told).toMatchObject({ code: 1, stdout: '' });
    expect(told.stderr).toMatch(/^error: development: local storage cannot be used, ".*": .*\n$/);
    expect(told.stderr).toContain(`": ${reason}; STORE_DIRECTORY_STATE names another folder`);
  }
});

describe('validate', () => {
  it('of a faulty source shows the faults by kind and exits 1', async () => {
    const stdout = `${tool.faultyFile}: 3 stores, 3 faults in 2 stores

wrong_type  profile.name (1): a value of another type
  line 2, store ${storeId(2)}
      7: expected string

unknown_key  pricing.tax.colour (1): a key that has no place there
  line 2, store ${storeId(2)}
      "red": expected no such key

duplicate_slug  slug (1): a slug used twice
  line 3, store ${storeId(3)}
      "store-1": expected a slug of its own: line 1 has it already
`;
    const args = ['validate', '--source', tool.faultyFile];
    expect(await tool.snapshot(args)).toEqual({ code: 1, stdout, stderr: '' });
  });

  it('--json gives every fault', async () => {
    const data = { source: tool.faultyFile, ...SUMMARY, faults: FAULTS };
    const told = await tool.json(['validate', '--source', tool.faultyFile]);
    expect(told).toEqual({ code: 1, stderr: '', data });
  });
});
