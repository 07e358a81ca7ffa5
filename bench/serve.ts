/**
 * Serves 2,500 stores as the benchmark does, with the code of the checkout that it lies in, until its
 * standard input ends. Prints where, as JSON: `npm run bench -- --quick` asks two of them in turn.
 */
import { SMALL } from './choices.ts';
import { openScene } from './scene.ts';

const scene = await openScene(SMALL, (text) => process.stderr.write(`${text}\n`));
const { port, pid } = scene.service;
process.stdout.write(`${JSON.stringify({ port, pid, tokens: scene.tokens })}\n`);
process.stdin.resume().once('end', async () => {
  await scene.close();
  process.exit();
});
