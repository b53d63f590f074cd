import type { Browser } from 'playwright-core';
import { type ApiClient, newOrganization, newRoom, person, RtcParticipant, type RunningStack, sharedStack } from '@classroom/testing';
import { ClassroomPage, launchBrowser, type PageOptions, YES_TO_ALL } from './browser.js';

export const DESKTOP = { width: 1280, height: 720 };

export interface Member {
  uid: string;
  iframeUrl: string;
  /** Sends this participant's classroom token. */
  api: ApiClient;
  rtc: RtcParticipant;
}

/** An organization, a browser that grants every device, and the pages that are open in it. */
export class ClassScene {
  /** All pages so far, including closed ones. */
  readonly pages: ClassroomPage[] = [];
  private passing: ClassroomPage[] = [];

  private constructor(
    readonly stack: RunningStack,
    readonly browser: Browser,
    readonly api: ApiClient,
  ) {}

  /**
   * @param more arguments of the browser
   * @param program the browser, if a test needs Chromium itself
   */
  static async start(own?: RunningStack, more: readonly string[] = [], program?: string): Promise<ClassScene> {
    const browser = await launchBrowser([...YES_TO_ALL, ...more], program);
    try {
      const stack = own ?? (await sharedStack());
      return new ClassScene(stack, browser, (await newOrganization(stack)).api);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Creates a room with the link of its first teacher, without lobby by default. */
  room(overrides: object = {}, api = this.api) {
    return newRoom(api, { customization: { showLobby: false }, ...overrides });
  }

  async link(roomId: string, uid: string, role: string, api = this.api): Promise<{ token: string; iframeUrl: string }> {
    const answer = await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) });
    if (answer.status !== 200) throw new Error(`no link: ${answer.status} ${answer.text}`);
    return answer.body.data;
  }

  async open(url: string, options: PageOptions = {}): Promise<ClassroomPage> {
    const page = await ClassroomPage.open(this.browser, url, { viewport: DESKTOP, ...options });
    this.pages.push(page);
    this.passing.push(page);
    return page;
  }

  /** Opens a page and waits until it is in class. */
  async enter(roomId: string, uid: string, role: string, options?: PageOptions): Promise<ClassroomPage> {
    const page = await this.open((await this.link(roomId, uid, role)).iframeUrl, options);
    await page.reaches('connected');
    return page;
  }

  /** Lets a participant join without a page. */
  async member(roomId: string, uid: string, role: string): Promise<Member> {
    const { token, iframeUrl } = await this.link(roomId, uid, role);
    const session = (await this.api.bearer(token).post('/v1/classroom/session')).body.data;
    const rtc = await RtcParticipant.connect(this.stack.urls.livekitPublic, session.livekitToken);
    return { uid, iframeUrl, api: this.api.bearer(session.classroomToken), rtc };
  }

  /** Starts a class for several tests: its pages are not closed after each test. */
  async startClass(overrides: object = {}) {
    const room = await this.room(overrides);
    const teacher = await this.open(room.iframeUrl);
    const student = await this.enter(room.roomId, 'student', 'STUDENT');
    await teacher.reaches('connected');
    this.passing = [];
    return { ...room, teacher, student };
  }

  /** Closes the pages of one test. @returns the errors of all pages since the last call */
  async tidy(): Promise<string[]> {
    await Promise.all(this.passing.splice(0).map((page) => page.close()));
    return this.pages.flatMap(({ watch }) => watch.problems.splice(0));
  }

  async stop(): Promise<void> {
    await RtcParticipant.disposeAll();
    await this.browser.close();
  }
}
