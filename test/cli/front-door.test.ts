/**
 * Commands in a process of their own, as people and scripts run them: they do their work, say so, and end. What
 * commands say and refuse in every case is tested within the tests' own process, where they have to say the same. Where their output is read no more, command-line.test.ts has them end.
 */
import { expect, it } from 'vitest';
import { callTool } from '../support/call-tool.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { runTool } from '../support/run-tool.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { buildStore } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();

it.each([
  ['snapshot', ['publish', '--source', '-', '--dry-run'], ndjson([buildStore(1)])],
  ['fixtures', ['--count', '20', '--out', '-'], ''],
] as const)('%s %j says the same in a process of its own, and ends', async (...row) => {
  const [program, args, stdin] = row;
  const options = { env: { STORE_DIRECTORY_STATE: tool.state, NO_COLOR: '1' }, stdin };
  const apart = await runTool(program, args, options);
  expect(apart.code).toBe(0);
  expect(await callTool(program, args, options)).toEqual(apart);
});
