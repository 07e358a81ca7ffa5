/**
 * What is too slow for `npm test`: how fast `/explore` is with 2,500 stores, and what axe finds on every
 * page at all sizes, by day and by night. `npm run web:check`
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { axeViolations, overhang } from '../support/browser.ts';
import { checkBars } from './explore-bars.ts';
import { type Stage, withManyStores } from './many-stores.ts';
import { DESKTOP, openScene, PHONE, SCENES, type Scene } from './scenes.ts';

interface Look {
  readonly name: string;
  readonly options: BrowserContextOptions;
  /** Text is so many times as large. */
  readonly text?: number;
}

const LOOKS: readonly Look[] = [
  { name: 'desktop', options: DESKTOP },
  { name: 'desktop, dark', options: { ...DESKTOP, colorScheme: 'dark' } },
  { name: 'phone', options: PHONE },
  { name: 'phone, dark', options: { ...PHONE, colorScheme: 'dark' } },
  { name: 'phone on its side', options: { ...PHONE, viewport: { width: 844, height: 390 } } },
  { name: 'text at 200 %', options: DESKTOP, text: 2 },
  // Of a window of 1280 by 1024 pixels.
  { name: 'zoom at 400 %', options: { viewport: { width: 320, height: 256 } } },
];

/** Pages of the manual without a picture. */
const PAGES = ['fields', 'guides/paging', 'problems/invalid_parameters'].map((name) => ({
  name,
  path: `/docs/${name}`,
}));

const faults: string[] = [];
await withManyStores(async (stage) => {
  for (const scene of [...SCENES, ...PAGES]) {
    for (const look of LOOKS) faults.push(...(await checkLook(stage, scene, look)));
  }
  faults.push(...(await checkBars(stage)));
});
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

/** @returns what is wrong with a page in a state, as one looks at it */
async function checkLook(
  stage: Stage,
  scene: Scene,
  { name, options, text }: Look,
): Promise<string[]> {
  const opened = await openScene(stage, scene, options);
  const { page } = opened;
  if (text) await page.evaluate(`document.documentElement.style.fontSize = '${100 * text}%'`);
  const where = `${scene.name}, ${name}`;
  const violations = await axeViolations(page);
  const wide = await overhang(page);
  const cut = await cutTexts(page);
  await page.context().close();
  console.log(`${where}: ${violations.length} findings of axe`);
  return [
    ...violations,
    ...(wide > 0 ? [`${wide} pixels too wide`] : []),
    ...cut.map((words) => `cut: ${words}`),
    ...opened.faults,
  ].map((fault) => `${where}: ${fault}`);
}

/** The words of buttons and rows of `/explore` that are wider or higher than what shows them. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('#explore :is(button, .chip)')]
    .filter((each) => each.checkVisibility() && getComputedStyle(each).fontSize !== '0px')
    .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
    .map((each) => each.textContent.trim().slice(0, 40))`);
}
