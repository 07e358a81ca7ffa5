/** A page in a browser, and everything that went wrong on it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PATIENCE } from './open-browser.ts';

export interface Visit {
  readonly page: Page;
  /** Errors of the console, requests that failed or left the origin. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** A violation of axe: the rule, how grave, and how many elements break it. */
interface Violation {
  readonly rule: string;
  readonly impact: string;
  readonly count: number;
}

interface AxeResult {
  readonly violations: readonly { id: string; impact: string; nodes: readonly unknown[] }[];
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const LOGOS = 'https://images.example/';
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4.5" cy="4.5" r="4"/></svg>';

/** Opens `url` with nothing remembered. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    // Half the pixels each way: without a graphics card they cost more than all that is tested.
    deviceScaleFactor: 0.5,
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  // Where logos of invented stores would lie.
  await context.route(`${LOGOS}**`, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: LOGO }),
  );
  const page = await context.newPage();
  const faults = collectFaults(page, new URL(url).origin);
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}

function collectFaults(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // Pages give up requests whose answers they no longer need.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    faults.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    const isLogo = request.resourceType() === 'image' && request.url().startsWith(LOGOS);
    if (asked !== origin && !isLogo && !['data:', 'blob:'].includes(protocol)) {
      faults.push(`left the origin: ${request.url()}`);
    }
  });
  return faults;
}

/**
 * What axe finds on the page as it is, by all its rules or by some. It runs beside the scripts of the
 * page, where the content security policy of the page does not hold.
 */
export async function axeViolations(
  page: Page,
  rules?: readonly string[],
): Promise<readonly Violation[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const run = `axe.run(document, ${JSON.stringify(options)})`;
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression: `${await readFile(AXE, 'utf8')};${run}`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
  await session.detach();
  const { violations }: AxeResult = result.value;
  return violations.map(({ id, impact, nodes }) => ({ rule: id, impact, count: nodes.length }));
}

/** How many pixels of the page, or of its header, which may be fixed, lie beyond the right edge of the window. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate(`Math.max(
    ...[document.documentElement, document.querySelector('.bar')].map(({ scrollWidth }) => scrollWidth),
  ) - innerWidth`);
}
