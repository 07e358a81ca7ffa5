/** Takes the pictures of `docs/images`: `npm run web:pictures`. */
import { resolve } from 'node:path';
import { withManyStores } from './many-stores.ts';
import { DESKTOP, openScene, SCENES } from './scenes.ts';

const FOLDER = resolve(import.meta.dirname, '../../../docs/images');

/** Bytes of a picture. */
const MAX_BYTES = 150_000;

/** Milliseconds in which a map without a graphics card has drawn its last frame. */
const REST = 3_000;

await withManyStores(async (stage) => {
  for (const scene of SCENES) {
    const { name, options = DESKTOP } = scene;
    const { page } = await openScene(stage, scene, { ...options, deviceScaleFactor: 1 });
    await page.waitForTimeout(REST);
    const path = `${FOLDER}/${name}.jpg`;
    const { length: size } = await page.screenshot({ path, type: 'jpeg', quality: 72 });
    await page.context().close();
    console.log(`${name}: ${size.toLocaleString('en')} bytes`);
    if (size > MAX_BYTES) throw new Error(`${name} has more than ${MAX_BYTES} bytes`);
  }
});
