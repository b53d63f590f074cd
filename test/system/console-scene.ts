import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { adminApi, byForm, eventually, type RunningStack, sharedStack } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { launchBrowser } from './browser.js';
import { PageWatch } from './page-watch.js';

/** A browser with the console, and the pages that a test opens. */
export class ConsoleScene {
  private readonly opened: Page[] = [];

  private constructor(
    readonly stack: RunningStack,
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<ConsoleScene> {
    return new ConsoleScene(await sharedStack(), await launchBrowser());
  }

  readonly address = (path: string) => `${this.stack.urls.gateway}/console${path && `/${path}`}`;

  /** A link to the organization's console. */
  readonly linkFor = async (organizationId: string, role: 'OWNER' | 'MEMBER'): Promise<string> => {
    const body = { subject: 'head@lakeside.example', role };
    const { token } = (await adminApi(this.stack).post(`/v1/admin/organizations/${organizationId}/dashboard-tokens`, body)).body.data;
    return `${this.address('')}#token=${token}`;
  };

  readonly open = async (url: string, options: BrowserContextOptions = {}): Promise<{ page: Page; watch: PageWatch }> => {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
    // Only bounds a failure, like the time limits of tests.
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    this.opened.push(page);
    const watch = new PageWatch(page);
    await page.goto(url);
    return { page, watch };
  };

  async closePages(): Promise<void> {
    await Promise.all(this.opened.splice(0).map((page) => page.context().close()));
  }

  stop = () => this.browser.close();
}

export const shows = (page: Page, words: string | RegExp) => eventually(async () => expect(await page.innerText('main')).toMatch(words));
export const isLoaded = (page: Page) => eventually(async () => expect(await page.innerText('main')).not.toMatch(/Loading|Wird geladen/));

/** Violations of accessibility in either theme, or in one in the short form. The page has reduced motion, so that colors change at once. */
export async function violationsInThemes(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  await isLoaded(page);
  for (const colorScheme of byForm<('light' | 'dark')[]>({ short: ['dark'], long: ['light', 'dark'] })) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violationsOf(page, `${name} in ${colorScheme}`)));
  }
  return found;
}
