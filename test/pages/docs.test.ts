/** The documentation in a real browser. No page may show an error or ask another origin. */
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { describeInBrowser } from './browser.ts';
import { consoleCases } from './console-cases.ts';
import { referenceCases } from './reference-cases.ts';
import { sampleCases } from './sample-cases.ts';
import { Scene } from './scene.ts';

describeInBrowser('the documentation', () => {
  const scene = new Scene();

  beforeAll(() => scene.setUp());
  afterEach(() => scene.clear());
  afterAll(() => scene.close());

  describe('/docs', () => referenceCases(scene));
  describe('its samples', () => sampleCases(scene));
  describe('/docs/console', () => consoleCases(scene));
});
