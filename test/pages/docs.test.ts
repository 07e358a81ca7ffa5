/** The documentation in a real browser. No page may show an error or ask another origin. */
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { describeInBrowser } from './support/browser.ts';
import { consoleCases } from './support/console-cases.ts';
import { referenceCases } from './support/reference-cases.ts';
import { sampleCases } from './support/sample-cases.ts';
import { Scene } from './support/scene.ts';

describeInBrowser('the documentation', () => {
  const scene = new Scene();

  beforeAll(() => scene.setUp());
  afterEach(() => scene.clear());
  afterAll(() => scene.close());

  describe('/docs', () => referenceCases(scene));
  describe('its samples', () => sampleCases(scene));
  describe('/docs/console', () => consoleCases(scene));
});
