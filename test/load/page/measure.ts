import type { Page, CDPSession } from 'playwright-core';

/** Runs in the page before the page's own scripts. */
export const PROBE = `
  window.load = { tasks: [], clicks: [] };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.load.tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  addEventListener('click', ({ timeStamp }) => {
    const handled = performance.now();
    // Two frames: the second begins once the first has been drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.load.clicks.push({ delay: handled - timeStamp, drawn: performance.now() - timeStamp });
    }));
  }, { capture: true });
`;

/** in milliseconds */
export interface Load {
  tasks: number[];
  clicks: { delay: number; drawn: number }[];
}

/** bytes, counts, CPU seconds of the main thread */
export interface Metrics {
  heap: number;
  nodes: number;
  listeners: number;
  busy: number;
}

export class Measure {
  page: Page;
  session: CDPSession | undefined = undefined;

  constructor(page: Page) {
    this.page = page;
  }

  async start() {
    this.session = await this.page.context().newCDPSession(this.page);
    // CPU time: on a busy machine, wall-clock time would include waiting for a CPU.
    await this.session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await this.take();
  }

  /** @returns the measurements since the last call */
  take(): Promise<Load> {
    return this.page.evaluate(
      '(() => { const { tasks, clicks } = window.load; window.load = { tasks: [], clicks: [] }; return { tasks, clicks }; })()',
    );
  }

  /** Collects garbage before measuring. */
  async metrics(): Promise<Metrics> {
    await this.session?.send('HeapProfiler.collectGarbage');
    const { metrics = [] } = (await this.session?.send('Performance.getMetrics')) ?? {};
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
    return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners'), busy: of('TaskDuration') };
  }
}
