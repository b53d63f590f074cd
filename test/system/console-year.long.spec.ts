import type { Browser, Page } from 'playwright-core';
import { adminApi, ApiClient, eventually, newOrganization, TestStack } from '@classroom/testing';
import { launchBrowser } from './browser.js';
import { PageWatch } from './page-watch.js';
import { CLASSES_A_DAY, makeSchoolYear } from './school-year.js';

/** Rows outside the view that a list may have. */
const MOST_ROWS = 60;
const PAGES_READ = 5;

interface UsageDay {
  day: string;
  classes: number;
  credits: number;
}

/** The console of a school with a year of classes. */
describe('the console after a year', () => {
  let stack: TestStack;
  let browser: Browser;
  let token: string;
  let page: Page;
  let watch: PageWatch;
  let days: UsageDay[];

  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['organization', 'room', 'billing', 'gateway'] });
    browser = await launchBrowser();
    const { organizationId } = await newOrganization(stack, { name: 'Lakeside' });
    const body = { subject: 'head@lakeside.example', role: 'OWNER' };
    ({ token } = (await adminApi(stack).post(`/v1/admin/organizations/${organizationId}/dashboard-tokens`, body)).body.data);
    await makeSchoolYear(stack, organizationId);
    const [from, to] = [-364, 0].map((shift) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10));
    ({ days } = (await new ApiClient(stack.urls.gateway).bearer(token).get(`/v1/dashboard/usage/days?from=${from}&to=${to}`)).body.data);
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    watch = new PageWatch(page);
  });

  afterEach(async () => {
    await page.close();
    expect(watch.problems).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const open = (path: string) => page.goto(`${stack.urls.gateway}/console/${path}#token=${token}`);
  const shows = (words: string | RegExp) => eventually(async () => expect(await page.innerText('main')).toMatch(words));
  const numbers = new Intl.NumberFormat('en-GB');
  const creditsOf = (used: readonly UsageDay[]) => used.reduce((sum, { credits }) => sum + credits, 0);
  const rowsOf = (table: string) => page.locator(`[role=table][aria-label="${table}"] [data-row]`);

  it('compares the months, and leads from the oldest to a day and its charges', async () => {
    await open('usage');
    const months = rowsOf('Twelve months');
    await eventually(async () => expect(await months.count()).toBe(12));
    const credits = (await months.allInnerTexts()).map((row) => Number(row.split('\n').at(-1)?.replaceAll(',', '')));
    const now = new Date();
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1)).toISOString();
    expect(credits.reduce((sum, count) => sum + count, 0)).toBe(creditsOf(days.filter(({ day }) => day >= first.slice(0, 10))));
    await months.last().locator('a').click();
    const [month = ''] = /\d{4}-\d\d/.exec(page.url()) ?? [];
    const day = days.find((used) => used.day.startsWith(month))?.day ?? '';
    await page.click(`[data-row="${day}"] a`);
    const classes = rowsOf('Classes');
    await eventually(async () =>
      expect(await page.getAttribute('[role=table][aria-label=Classes]', 'aria-rowcount')).toBe(String(CLASSES_A_DAY + 1)),
    );
    expect(await classes.count()).toBeLessThan(MOST_ROWS);
    await page.click('[data-row] [data-number=true] a');
    await shows(/Only lesson-[\s\S]*120/);
    await page.click('[data-row] .row-link');
    await shows('lesson-');
  });

  it('sums the month that is shown', async () => {
    const month = days.at(-1)?.day.slice(0, 7) ?? '';
    await open(`usage?month=${month}`);
    const used = days.filter(({ day }) => day.startsWith(month));
    await shows(new RegExp(`${numbers.format(creditsOf(used))}[^]*${numbers.format(used.length * CLASSES_A_DAY)}`));
  });

  it('has only the rows in view of all that it has read, and finds a class of the first day', async () => {
    await open('rooms');
    await shows('group');
    const count = async () => Number(await page.getAttribute('[data-row]:last-child', 'aria-rowindex'));
    for (let read = 1, last = 0; read <= PAGES_READ; read += 1) {
      await page.keyboard.press('End');
      await eventually(async () => {
        await page.mouse.wheel(0, 4_000);
        expect(await count()).toBeGreaterThan(last);
      });
      last = await count();
      expect(await page.locator('[data-row]').count()).toBeLessThan(MOST_ROWS);
    }
    await page.fill('[type=search]', `group ${CLASSES_A_DAY}`);
    await eventually(async () => expect(await page.locator('[data-row]').first().innerText()).toContain(`group ${CLASSES_A_DAY}`));
    await open(`rooms/lesson-${days[0]?.day}-1`);
    await shows(/Biology, group 1/);
  });

  it('reads the ledger from the newest entry on', async () => {
    await open('ledger');
    await shows(new RegExp(`lesson-${days.at(-1)?.day}`));
    for (let read = 0; read < PAGES_READ; read += 1) {
      await page.keyboard.press('End');
      await page.mouse.wheel(0, 4_000);
    }
    expect(await page.locator('[data-row]').count()).toBeLessThan(MOST_ROWS);
  });
});
