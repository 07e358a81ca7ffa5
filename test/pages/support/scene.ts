/** A service with a browser before it, which several groups of tests share. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Service } from '../../support/prepared/service.ts';
import { openBrowser } from './browser.ts';
import { openService } from './stage.ts';
import { type Visit, visit } from './visit.ts';

export class Scene {
  private opened: { readonly stage: Service; readonly browser: Browser } | undefined;
  private visits: Visit[] = [];

  get stage(): Service {
    if (!this.opened) throw new Error('the scene has not been set up');
    return this.opened.stage;
  }

  /** For `beforeAll`. */
  async setUp(): Promise<void> {
    const [stage, browser] = await Promise.all([openService(), openBrowser()]);
    this.opened = { stage, browser };
  }

  /** Opens a path of the service with nothing remembered, until the end of the test. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const opened = await this.visit(path, options);
    this.visits.push(opened);
    return opened.page;
  }

  /** Opens a path for several tests: its caller closes it, and looks at its faults. */
  async visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
    if (!this.opened) throw new Error('the scene has not been set up');
    return visit(this.opened.browser, this.stage.origin + path, options);
  }

  /** For `afterEach`: closes the pages of a test, which must have had no fault. */
  async clear(): Promise<void> {
    const faults = this.visits.flatMap((visited) => visited.faults);
    await Promise.all(this.visits.map((visited) => visited.close()));
    this.visits = [];
    expect(faults).toEqual([]);
  }

  /** For `afterAll`. */
  async close(): Promise<void> {
    await this.opened?.browser.close();
  }
}
