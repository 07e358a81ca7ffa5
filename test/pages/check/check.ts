/**
 * What is too slow for `npm test`: how fast `/explore` is with 2,500 stores, and what axe finds on every
 * page at both sizes, by day and by night. `npm run web:check`
 */
import type { BrowserContextOptions } from 'playwright-core';
import { axeViolations, overhang } from '../support/visit.ts';
import { checkBars } from './explore-bars.ts';
import { type Stage, withManyStores } from './many-stores.ts';
import { openScene, SCENES, type Scene } from './scenes.ts';

const SIZES: readonly BrowserContextOptions[] = [
  { viewport: { width: 1400, height: 900 } },
  { viewport: { width: 390, height: 844 }, hasTouch: true },
];

const faults: string[] = [];
await withManyStores(2_500, async (stage) => {
  for (const scene of SCENES) {
    for (const size of SIZES) {
      for (const colorScheme of ['light', 'dark'] as const) {
        faults.push(...(await look(stage, scene, { ...size, colorScheme })));
      }
    }
  }
  faults.push(...(await checkBars(stage)));
});
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

/** @returns what is wrong with a page in a state, at a size and in a light */
async function look(stage: Stage, scene: Scene, options: BrowserContextOptions): Promise<string[]> {
  const opened = await openScene(stage, scene, options);
  const { page } = opened;
  const where = `${scene.name}, ${options.viewport?.width} pixels, ${options.colorScheme}`;
  const violations = await axeViolations(page);
  const wide = await overhang(page);
  await opened.close();
  console.log(`${where}: ${violations.length} findings of axe`);
  return [
    ...violations.map(({ rule, count }) => `${where}: ${rule} (${count})`),
    ...(wide > 0 ? [`${where}: ${wide} pixels too wide`] : []),
    ...opened.faults.map((fault) => `${where}: ${fault}`),
  ];
}
