import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  adminApi,
  type ApiClient,
  byForm,
  eventually,
  first,
  newRoom,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';
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

const CONSENT = { ask: 'recording', without: 'mute', version: '2026-1', text: 'May this class be recorded?' };

/** A class of a teacher and a student, asked for consent to recordings, that has ended and been charged. */
export async function holdClass(stack: RunningStack, api: ApiClient): Promise<{ roomId: string; credits: number }> {
  let credits = 0;
  const settings = { consent: { recording: CONSENT }, budget: { maxCredits: 90, onReached: 'endClass' } };
  const room = await newRoom(api, { title: 'Geometry: right triangles', settings });
  const student = await api.post(`/v1/room/${room.roomId}/join`, { participant: person('bob', 'STUDENT') });
  for (const granted of [true, false])
    await api.bearer(student.body.data.token).post('/v1/classroom/consent', { purpose: 'recording', version: '2026-1', granted });
  const participants = await Promise.all(
    [room.token, student.body.data.token as string].map((token) => RtcParticipant.connect(stack.urls.livekitPublic, token)),
  );
  // Shorter stays cost nothing.
  await eventually(async () => {
    const { participants: present } = (await api.get(`/v1/room/${room.roomId}/attendance`)).body.data as {
      participants: { duration: number }[];
    };
    expect(present.filter(({ duration }) => duration > 0)).toHaveLength(2);
  });
  await Promise.all(participants.map((participant) => participant.leave()));
  await eventually(async () => expect((await api.get(`/v1/room/${room.roomId}/status`)).body.data).toMatchObject({ participantCount: 0 }));
  await api.delete(`/v1/room/${room.roomId}`);
  await eventually(async () => {
    const { entries } = (await api.get('/v1/billing/ledger?kind=CHARGE')).body.data;
    expect(entries).toHaveLength(1);
    credits = Math.abs(first(entries).credits);
  });
  return { roomId: room.roomId, credits };
}

/** More than the rooms of one page of the list. */
export const PLANNED_ROOMS = 60;
const ROOMS_AT_ONCE = 10;

export async function planRooms(api: ApiClient): Promise<void> {
  for (let first = 1; first <= PLANNED_ROOMS; first += ROOMS_AT_ONCE)
    await Promise.all(Array.from({ length: ROOMS_AT_ONCE }, (_, n) => newRoom(api, { title: `Lesson ${first + n}` })));
}
