import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bucket, makeSource, newOrganization, newRoom, person, type ApiClient, type TestStack } from '@classroom/testing';
import { StoredVideo, type VideoFixture } from '../system/video/video-fixture.js';
import type { Asking, Balancer } from './balancer.js';

/** Several, because each may send only 1,000 requests a minute. */
const ORGANIZATIONS = 10;
/** Of 20 consecutive requests, the first ones are one of each kind below; the others request a class's status. */
const CYCLE = 20;

export interface School {
  organizationId: string;
  api: ApiClient;
  roomId: string;
  sid: string;
}

/** A load with requests to all services, and the data that they request. */
export class MixedLoad {
  private constructor(
    readonly schools: School[],
    private readonly video: { videoId: string; playback: string },
  ) {}

  /** Creates schools with a class each. The first school has a video that can be played. */
  static async prepare(stack: TestStack): Promise<MixedLoad> {
    const schools = await Promise.all(
      Array.from({ length: ORGANIZATIONS }, async () => {
        const school = await newOrganization(stack);
        const { roomId, sid } = await newRoom(school.api, { settings: { maxParticipants: 500 } });
        return { ...school, roomId, sid };
      }),
    );
    const api = schools[0]?.api;
    if (!api) throw new Error('there is no school');
    const fixture: VideoFixture = { stack, bucket: Bucket.of(stack), api };
    const folder = await mkdtemp(join(tmpdir(), 'load-'));
    const video = await StoredVideo.sent(fixture, await makeSource(folder, 'mpeg4-avi', 2));
    await video.reaches('completed');
    await rm(folder, { recursive: true });
    const { url } = (await video.url()).body.data as { url: string };
    return new MixedLoad(schools, { videoId: video.videoId, playback: new URL(url).pathname });
  }

  readonly ask: Asking = (balancer, n) => {
    const school = this.schools[n % this.schools.length] ?? { organizationId: '', roomId: '', sid: '' };
    const [first] = this.schools;
    const { organizationId, roomId } = school;
    const kinds: (() => Promise<void>)[] = [
      () =>
        balancer.send('POST', '/v1/room/create', organizationId, {
          roomId: `room-${randomUUID()}`,
          title: 'Algebra',
          participant: person('teacher'),
        }),
      ...Array.from({ length: 3 }, () => () => joinClass(balancer, school, n)),
      () => balancer.send('GET', '/v1/cdn/videos', organizationId),
      () => balancer.send('GET', `/v1/cdn/videos/${this.video.videoId}/url`, first?.organizationId ?? ''),
      () => balancer.send('GET', this.video.playback, organizationId),
      () => balancer.send('GET', '/v1/ai-agent/usage/summary', organizationId),
      () =>
        balancer.send('POST', '/v1/ai-agent/chat', organizationId, {
          chatId: randomUUID(),
          message: 'What is a prime?',
          responseType: 'text',
        }),
      () => balancer.send('GET', `/v1/room/${roomId}/recordings`, organizationId),
      () => balancer.send('GET', '/v1/billing/balance', organizationId),
    ];
    const status = () => balancer.send('GET', `/v1/room/${roomId}/status`, organizationId);
    return (kinds[n % CYCLE] ?? status)();
  };
}

const joinClass = (balancer: Balancer, { organizationId, roomId }: Pick<School, 'organizationId' | 'roomId'>, n: number) =>
  balancer.send('POST', `/v1/room/${roomId}/join`, organizationId, { participant: person(`uid-${n}`, 'STUDENT') });
