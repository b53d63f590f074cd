import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import {
  adminApi,
  ApiClient,
  Bucket,
  eventually,
  makeSource,
  type NewOrganization,
  newOrganization,
  present,
  probe,
  RecordedRoom,
  RtcParticipant,
  type RunningStack,
  sleep,
} from '@classroom/testing';
import { ClassroomPage, launchBrowser, YES_TO_ALL } from './browser.js';
import { StoredVideo } from './video/video-fixture.js';

/** How long a class is filmed, in milliseconds. */
const FILMED_MS = 4_000;
/** Containers and pods start again within this time, in milliseconds, also where all of them start at once on few cores. */
export const RESTART_MS = 240_000;

/** Waits until the system says that it is healthy. */
export const isHealthy = ({ urls }: RunningStack) =>
  eventually(async () => {
    const { status, body } = await new ApiClient(urls.gateway).get('/v1/health/status');
    expect([status, body]).toMatchObject([200, { data: { status: 'healthy' } }]);
  }, RESTART_MS);

/** A school that uses a deployed system as its users would: over the gateway's address, with a browser and over WebRTC. */
export class School {
  readonly api: ApiClient;
  private readonly folder = mkdtempSync(join(tmpdir(), 'classroom-school-'));

  private constructor(
    private readonly stack: RunningStack,
    private readonly browser: Browser,
    private readonly organization: NewOrganization,
  ) {
    this.api = organization.api;
  }

  static async open(stack: RunningStack): Promise<School> {
    // Browsers offer devices to pages with TLS or on this machine alone.
    const { gateway } = stack.urls;
    const trust = gateway.startsWith('https:') ? '--ignore-certificate-errors' : `--unsafely-treat-insecure-origin-as-secure=${gateway}`;
    const browser = await launchBrowser([...YES_TO_ALL, trust]);
    return new School(stack, browser, await newOrganization(stack));
  }

  async close(): Promise<void> {
    await RtcParticipant.disposeAll();
    await this.browser.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A class with a participant who sends picture and sound. */
  openClass(): Promise<RecordedRoom> {
    const enter = async ({ token }: { token: string }) => {
      const participant = await RtcParticipant.connect(this.stack.urls.livekitPublic, token);
      await participant.publish();
    };
    return RecordedRoom.open(this.stack, this.api, enter, {
      customization: { showLobby: false },
      participant: { uid: 'ada', name: 'Ada Lovelace', role: 'TEACHER' },
    });
  }

  /** A student opens the class in Chromium, and sees and hears the teacher. @param picture file for a screenshot */
  async watchClass({ roomId }: RecordedRoom, picture?: string): Promise<void> {
    const participant = { uid: 'grace', name: 'Grace Hopper', role: 'STUDENT' };
    const { iframeUrl } = (await this.api.post(`/v1/room/${roomId}/join`, { participant })).body.data;
    const page = await ClassroomPage.open(this.browser, iframeUrl, { viewport: { width: 1280, height: 720 } });
    await page.reaches('connected');
    await page.receivesMedia('ada');
    if (picture) await page.page.screenshot({ path: picture });
    expect(page.watch.problems).toEqual([]);
    await page.close();
  }

  /** Records the class for some seconds. */
  async film(room: RecordedRoom): Promise<void> {
    const before = (await room.list()).map(({ status }) => status);
    await room.started();
    await room.reaches([...before, 'ACTIVE'], RESTART_MS);
    await sleep(FILMED_MS);
    await room.stop();
    await room.reaches([...before, 'COMPLETED'], RESTART_MS);
  }

  /** Reads the whole film of a class that has ended, through its link. */
  async downloadFilm(room: RecordedRoom): Promise<void> {
    const { files } = (await room.download()).body.data as { files: { downloadUrl: string }[] };
    const { duration, video, audio } = await probe(files.at(-1)?.downloadUrl ?? '');
    expect(duration).toBeGreaterThan(FILMED_MS / 2_000);
    expect([video.length, audio.length]).toEqual([1, 1]);
  }

  /** Uploads a video, waits for its playable form and fetches it. */
  async publishVideo(): Promise<void> {
    const fixture = { stack: this.stack, bucket: Bucket.of(this.stack), api: this.api };
    const video = await StoredVideo.sent(fixture, await makeSource(this.folder, 'mp4-faststart', 2));
    await video.reaches('completed', RESTART_MS);
    expect((await fetch(present((await video.url()).body.data.url))).status).toBe(200);
  }

  /** Ends the class and waits until it is charged. */
  async endClass(room: RecordedRoom): Promise<void> {
    await room.end();
    await eventually(
      async () => expect((await this.ledger()).filter(({ kind, sid }) => kind === 'CHARGE' && sid === room.sid).length).toBeGreaterThan(0),
      RESTART_MS,
    );
  }

  /** The entries of the school's account, newest first. */
  async ledger(): Promise<{ entryId: string; kind: string; sid: string | null; credits: number }[]> {
    const path = `/v1/admin/organizations/${this.organization.organizationId}/ledger?limit=100` as const;
    return (await adminApi(this.stack).get(path)).body.data.entries;
  }
}
