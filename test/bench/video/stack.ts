import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Bucket, TestStack } from '@classroom/testing';

/** A value of VF-ORG-ID. */
const ORGANIZATION = 'org_video_bench';
const TIMEOUT_MS = 20 * 60_000;
const TRACING = { CLOCK: 'system', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };

/** The fields of answers that are read here. */
interface Data {
  id: string;
  videoId: string;
  upload: { url: string };
  url: string;
}

/** A running stack with one organization and films to store in it. `stop` ends it and may be called at any time. */
export class BenchStack {
  readonly home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-video-bench-'));
  stack!: TestStack;
  bucket!: Bucket;
  media!: string;
  private organizationId = '';
  private stopping: Promise<void> | undefined;

  async start() {
    this.stack = await TestStack.start({ apps: ['organization', 'room', 'gateway', 'media'], env: { all: TRACING } });
    this.bucket = Bucket.of(this.stack);
    this.media = `http://127.0.0.1:${this.stack.ports.parts.media}`;
    const billing = { type: 'PREPAID', credits: 1_000, creditRate: 0.01, currency: 'USD' };
    const body = { organizationId: ORGANIZATION, name: 'A school', billing };
    const { id } = await this.call('POST', '/v1/admin/organizations', body, { 'X-Dispatch-Secret': this.stack.secrets.dispatchSecret });
    this.organizationId = id;
  }

  private prefixOf(videoId: string): string {
    return `videos/${createHash('sha256').update(this.organizationId).digest('hex').slice(0, 24)}/${videoId}/`;
  }

  /** The processes that store and deliver videos. */
  pids() {
    const pid = (process: { pid?: number | undefined }) => process.pid ?? 0;
    const { stack } = this;
    return {
      media: pid(stack.app('media')),
      gateway: pid(stack.app('gateway')),
      nats: pid(stack.part('nats')),
      postgres: pid(stack.part('postgres')),
      s3: pid(stack.part('s3')),
    };
  }

  /** @returns `data` of the answer */
  async call(
    method: string,
    address: string,
    body?: object,
    headers: Record<string, string> = { 'VF-ORG-ID': ORGANIZATION },
  ): Promise<Data> {
    const response = await fetch(`${this.stack.urls.gateway}${address}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address} was answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  }

  /** Creates a film in which everything moves, unlike a class: 1080p with sound. @returns its path */
  async film(seconds: number): Promise<string> {
    const file = path.join(this.home, `film-${seconds}.mp4`);
    if (fs.existsSync(file)) return file;
    const picture = ['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=30:d=${seconds}`, '-f', 'lavfi', '-i', `sine=d=${seconds}`];
    const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '6M', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-ac', '2'];
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...picture, ...coded, file]);
    return file;
  }

  /** Creates a video in the state after its upload: its source in the bucket, its row waiting. @returns its id */
  async waiting(file: string, playback: 'hls' | 'mp4'): Promise<string> {
    const videoId = `vid_${randomBytes(10).toString('hex')}`;
    const bytes = fs.readFileSync(file);
    await this.bucket.put(`${this.prefixOf(videoId)}source`, bytes, 'video/mp4');
    await this.stack.rows(
      `INSERT INTO media.videos (video_id, organization_id, title, file_name, content_type, playback, size, status, transcode_at, created_at)
       VALUES ($1, $2, 'A film', 'film.mp4', 'video/mp4', $3, $4, 'pending', now() - interval '1 second', now())`,
      [videoId, this.organizationId, playback, bytes.length],
    );
    return videoId;
  }

  /** Creates a video in the state after the transcoding of a single file. @returns its id */
  async single(bytes: Buffer): Promise<string> {
    const videoId = `vid_${randomBytes(10).toString('hex')}`;
    const result = { type: 'mp4', entry: 'file.mp4', duration: 60, hasVideo: true, hasAudio: true, renditions: [], poster: null };
    await this.bucket.put(`${this.prefixOf(videoId)}1/${result.entry}`, bytes, 'video/mp4');
    await this.stack.rows(
      `INSERT INTO media.videos (video_id, organization_id, title, file_name, content_type, playback, size, status, attempt, result, duration, created_at, attempted_at, completed_at)
       VALUES ($1, $2, 'A film', 'film.mp4', 'video/mp4', 'mp4', $3, 'completed', 1, $4, 60, now(), now(), now())`,
      [videoId, this.organizationId, bytes.length, JSON.stringify(result)],
    );
    return videoId;
  }

  /** @returns the seconds from the beginning of the worker's job to its end */
  async completed(videoId: string): Promise<{ seconds: number }> {
    for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await sleep(100)) {
      const [row] = await this.stack.rows<{ status: string; message: string; seconds: number }>(
        `SELECT status, message, extract(epoch FROM completed_at - attempted_at)::float8 AS seconds FROM media.videos WHERE video_id = $1`,
        [videoId],
      );
      if (row.status === 'failed') throw new Error(`the video failed: ${row.message}`);
      if (row.status === 'completed') return row;
    }
    throw new Error('the video was not done in time');
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  private async end(): Promise<void> {
    await this.stack?.stop();
    fs.rmSync(this.home, { recursive: true, force: true });
  }
}
