import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { smallDevices } from './browser.js';

/** A message as the browser delivered it to the host's page. */
export interface Message {
  origin: string;
  source: string;
  version: number;
  type: string;
  roomId: string;
  timestamp: string;
  seq: number;
  data: Record<string, unknown>;
}
/** An event as the package emitted it to the host's page. */
export interface EmittedEvent {
  type: string;
  data: Record<string, unknown>;
  seq?: number;
  by?: string;
}

export interface TabOptions extends BrowserContextOptions {
  /** Height of the camera's picture, in pixels: see `smallDevices`. */
  cameraHeight?: 180 | 360;
  /** Runs before the host's page is opened. */
  prepare?: (context: BrowserContext) => Promise<void>;
}

/** A browser tab with a host's page (`embed-host/host.js`). */
export class HostTab {
  readonly console: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('console', (message) => this.console.push(message.text()));
    page.on('pageerror', ({ message }) => this.console.push(message));
  }

  static async open(browser: Browser, host: string, { prepare, cameraHeight, ...options }: TabOptions = {}): Promise<HostTab> {
    const context = await browser.newContext({ permissions: ['camera', 'microphone'], ...options });
    await context.addInitScript(smallDevices(cameraHeight));
    await prepare?.(context);
    const tab = new HostTab(context, await context.newPage());
    await tab.page.goto(`http://${host}/`);
    return tab;
  }

  showElement = (src: string) => this.page.evaluate(`host.showElement(${JSON.stringify(src)})`);
  showReact = (src: string, by = 'first') => this.page.evaluate(`host.showReact(${JSON.stringify(src)}, '${by}')`);
  clear = () => this.page.evaluate('host.clear()');
  startHeadless = (options: object) => this.page.evaluate(`host.startHeadless(${JSON.stringify(options)})`);
  post = (message: object, targetOrigin: string) => this.page.evaluate(`host.post(${JSON.stringify(message)}, '${targetOrigin}')`);

  messages = () => this.page.evaluate<Message[]>('host.messages');
  events = () => this.page.evaluate<EmittedEvent[]>('host.events');
  headlessEvents = () => this.page.evaluate<EmittedEvent[]>('host.headlessEvents');

  /** @returns data of all messages of a type */
  async dataOf(type: string): Promise<Record<string, unknown>[]> {
    return (await this.messages()).filter((message) => message.type === type).map(({ data }) => data);
  }

  /** Runs a command in the page. @returns 'done', or 'refused: ' and the reason */
  command = (name: string, ...args: unknown[]) => this.page.evaluate<string>(`host.command('${name}', ...${JSON.stringify(args)})`);

  /** The classroom's iframe, once it exists. */
  classroom(): Frame | undefined {
    return this.page.frames().find((frame) => frame.url().includes('/r/'));
  }

  async state(): Promise<string | undefined> {
    return this.classroom()?.evaluate<string | undefined>('document.documentElement.dataset.state');
  }

  async participants(): Promise<string | undefined> {
    return this.classroom()?.evaluate<string | undefined>('document.documentElement.dataset.participants');
  }

  close = () => this.context.close();
}
