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
  /** Of VF-ORG-ID. */
  value: string;
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
    const school = this.schools[n % this.schools.length] ?? { value: '', roomId: '', sid: '' };
    const [first] = this.schools;
    const { value, roomId } = school;
    const kinds: (() => Promise<void>)[] = [
      () =>
        balancer.send('POST', '/v1/room/create', value, {
          roomId: `room-${randomUUID()}`,
          title: 'Algebra',
          participant: person('teacher'),
        }),
      ...Array.from({ length: 3 }, () => () => joinClass(balancer, school, n)),
      () => balancer.send('GET', '/v1/cdn/videos', value),
      () => balancer.send('GET', `/v1/cdn/videos/${this.video.videoId}/url`, first?.value ?? ''),
      () => balancer.send('GET', this.video.playback, value),
      () => balancer.send('GET', '/v1/ai-agent/usage/summary', value),
      () =>
        balancer.send('POST', '/v1/ai-agent/chat', value, {
          chatId: randomUUID(),
          message: 'What is a prime?',
          responseType: 'text',
        }),
      () => balancer.send('GET', `/v1/room/${roomId}/recordings`, value),
      () => balancer.send('GET', '/v1/billing/balance', value),
    ];
    const status = () => balancer.send('GET', `/v1/room/${roomId}/status`, value);
    return (kinds[n % CYCLE] ?? status)();
  };
}

const joinClass = (balancer: Balancer, { value, roomId }: Pick<School, 'value' | 'roomId'>, n: number) =>
  balancer.send('POST', `/v1/room/${roomId}/join`, value, { participant: person(`uid-${n}`, 'STUDENT') });
