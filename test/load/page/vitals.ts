// node tools/bootstrap.cjs test/load/page/vitals.ts [--runs=5]
// Measures the first load of the class page and of the console as a phone of the middle range on a slow network has it. It asserts no times.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { Scene } from './scene.ts';
import type { Browser, Page } from 'playwright-core';

const { values: flags } = parseArgs({ options: { runs: { type: 'string' } } });
const RUNS = Number(flags.runs ?? 5);
/** Lighthouse’s phone and its slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms for each request. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true, locale: 'en-GB' };
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
/** Long tasks and shifts that come later belong to what the participant does. */
const OBSERVED_MS = 3_000;

interface Subject {
  name: string;
  /** Each run has a participant and a browser profile of its own. */
  link(): Promise<string>;
  /** The button or link for which the page is opened. */
  first: string;
  /** Throws unless pressing it has worked. */
  check(page: Page): Promise<unknown>;
}

/** Runs in the page before the page’s own scripts. The page works when the button is there and the main thread takes events again. */
const probe = (first: string) => `
  const works = Promise.withResolvers();
  const vitals = (window.vitals = { tasks: [], shift: 0, largest: 0, works: works.promise });
  const on = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  on('longtask', ({ startTime, duration }) => vitals.tasks.push({ startTime, duration }));
  on('layout-shift', ({ value, hadRecentInput }) => (vitals.shift += hadRecentInput ? 0 : value));
  on('largest-contentful-paint', ({ startTime }) => (vitals.largest = startTime));
  const observer = new MutationObserver(() => {
    if (!document.querySelector(${JSON.stringify(first)})) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => works.resolve(performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
`;

interface Seen {
  tasks: { startTime: number; duration: number }[];
  shift: number;
  largest: number;
  first: number;
}

async function measure(browser: Browser, { link, first, check }: Subject) {
  const context = await browser.newContext(PHONE);
  try {
    await context.addInitScript(probe(first));
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    let bytes = 0;
    let files = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      files += 1;
    });
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(await link());
    const interactive = await page.evaluate<number>('window.vitals.works');
    await page.waitForTimeout(OBSERVED_MS);
    const seen = (await page.evaluate(
      `({ tasks: window.vitals.tasks, shift: window.vitals.shift, largest: window.vitals.largest, first: performance.getEntriesByName('first-contentful-paint')[0].startTime })`,
    )) as Seen;
    const row = {
      'first contentful paint, ms': seen.first,
      'largest contentful paint, ms': seen.largest,
      'interactive, ms': interactive,
      'total blocking time, ms': seen.tasks
        .filter(({ startTime }) => startTime >= seen.first)
        .reduce((sum, { duration }) => sum + duration - 50, 0),
      'cumulative layout shift': seen.shift,
      'transferred, kB': bytes / 1000,
      requests: files,
    };
    await page.click(first);
    await check(page);
    return row;
  } finally {
    await context.close();
  }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function subjectsOf(scene: Scene): Promise<Subject[]> {
  const { roomId } = await scene.room({
    title: 'Geometry 8b',
    participant: { uid: 'ada', name: 'Ada Lindqvist', role: 'TEACHER' },
    customization: { showLobby: true },
  });
  const lobby = (role: string): Subject => {
    let count = 0;
    return {
      name: `class page, lobby, ${role.toLowerCase()}`,
      link: async () => (await scene.join(roomId, { uid: `${role}-${(count += 1)}`, name: 'Clara Weiss', role })).iframeUrl,
      first: '[data-action=join]',
      check: (page) => page.waitForSelector(':root:not([data-state=idle])'),
    };
  };
  return [
    lobby('STUDENT'),
    lobby('TEACHER'),
    {
      name: 'console, overview',
      link: () => scene.consoleLink(),
      first: '[data-page=rooms]',
      check: (page) => page.waitForURL('**/console/rooms'),
    },
  ];
}

async function main() {
  let scene: Scene | undefined;
  try {
    scene = await Scene.start();
    const browser = await scene.browser();
    const table: Record<string, Record<string, number>> = {};
    for (const subject of await subjectsOf(scene)) {
      // Fills the caches of the services, which a page of a running school finds filled.
      await measure(browser, subject);
      const rows: Awaited<ReturnType<typeof measure>>[] = [];
      for (let run = 1; run <= RUNS; run += 1) rows.push(await measure(browser, subject));
      const [one = {}] = rows;
      const digits = (name: string) => (name.includes('shift') ? 3 : 0);
      table[subject.name] = Object.fromEntries(
        Object.keys(one).map((name) => [name, Number(median(rows.map((row) => row[name as keyof typeof row])).toFixed(digits(name)))]),
      );
      console.log(`${subject.name}: interactive after ${rows.map((row) => Math.round(row['interactive, ms'])).join(', ')} ms`);
    }
    console.log(
      `\nMedians of ${RUNS} loads with an empty cache on ${os.cpus().length} CPUs (${os.cpus()[0]?.model}), CPU ×${CPU_SLOWDOWN}, slow 4G:`,
    );
    const [columns = []] = Object.values(table).map((row) => Object.keys(row));
    console.log(`| | ${columns.join(' | ')} |\n|---|${columns.map(() => '---:').join('|')}|`);
    for (const [name, row] of Object.entries(table)) console.log(`| ${name} | ${Object.values(row).join(' | ')} |`);
  } finally {
    await scene?.stop();
  }
}

void main();
