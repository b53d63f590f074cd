import type { Browser } from 'playwright-core';
import {
  type ApiClient,
  eventually,
  newOrganization,
  newRoom,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';
import type { EventData, recordingActive } from '@classroom/contracts';
import { CHROMIUM, launchBrowser } from './browser.js';
import { HostPage } from './embed-host.js';
import { HostTab, type TabOptions } from './embed-tab.js';

/** Three addresses of one school's page, a browser, and the tabs that a test opens. */
export class EmbedScene {
  private readonly tabs: HostTab[] = [];
  private readonly browsers: Browser[];

  private constructor(
    readonly stack: RunningStack,
    readonly pages: HostPage,
    readonly api: ApiClient,
    private readonly organizationId: string,
    /** A verified domain, one that hides its address, and one that is not verified. */
    readonly hosts: Record<'school' | 'hidden' | 'stranger', string>,
    browser: Browser,
  ) {
    this.browsers = [browser];
  }

  static async start(): Promise<EmbedScene> {
    const browser = await launchBrowser([], CHROMIUM);
    try {
      const pages = await HostPage.build();
      const stack = await sharedStack();
      const [school, hidden, stranger] = [
        await pages.serve(),
        await pages.serve({ 'referrer-policy': 'no-referrer' }),
        await pages.serve(),
      ];
      const { api, organizationId } = await newOrganization(stack, { verifiedDomains: [school, hidden] });
      return new EmbedScene(stack, pages, api, organizationId, { school, hidden, stranger }, browser);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Launches another browser, which ends with the scene. */
  async browser(more: readonly string[]): Promise<Browser> {
    const browser = await launchBrowser(more, CHROMIUM);
    this.browsers.push(browser);
    return browser;
  }

  async closeTabs(): Promise<void> {
    await Promise.all(this.tabs.splice(0).map((tab) => tab.close()));
  }

  async stop(): Promise<void> {
    await RtcParticipant.disposeAll();
    await Promise.all(this.browsers.map((one) => one.close()));
    await this.pages.close();
  }

  open = async (host: string, options?: TabOptions, browser = this.browsers[0] as Browser) => {
    const tab = await HostTab.open(browser, host, options);
    this.tabs.push(tab);
    return tab;
  };

  room = () => newRoom(this.api, { customization: { showLobby: false } });

  join = async (roomId: string, uid: string, role: string) =>
    (await this.api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data as { token: string; iframeUrl: string };

  /** A client with the participant's classroom token. */
  bearerOf = async (token: string) =>
    this.api.bearer((await this.api.bearer(token).post('/v1/classroom/session')).body.data.classroomToken as string);

  enter = async (roomId: string, uid: string, role: string) =>
    RtcParticipant.connect(this.stack.urls.livekitPublic, (await this.join(roomId, uid, role)).token);

  /** Facts about a recording of the room, by status and version. */
  recordingFact = (roomId: string, sid: string, egressId: string) => {
    const startedAt = new Date().toISOString();
    const { organizationId } = this;
    const fact = {
      organizationId,
      sid,
      roomId,
      egressId,
      startedAt,
      endedAt: null,
      duration: null,
      reason: null,
      health: 'OK',
      isPaused: false,
      isMerged: false,
    };
    return (status: string, version: number): EventData<typeof recordingActive> => ({ ...fact, status, version });
  };
}

export const connected = (tab: HostTab) => eventually(async () => expect(await tab.dataOf('connected')).toHaveLength(1));

export const expectMessages = async (tab: HostTab, type: string, ...data: unknown[]) =>
  eventually(async () => expect(await tab.dataOf(type)).toEqual(data));
