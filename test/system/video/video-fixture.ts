import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { Upload, type UploadOptions } from 'tus-js-client';
import {
  type ApiClient,
  Bucket,
  eventually,
  MEDIA_KEYS,
  newOrganization,
  type RunningStack,
  type SourceFile,
  TestStack,
} from '@classroom/testing';
import { BreakingProxy } from './breaking-proxy.js';

/** Everything that stores videos. */
export interface VideoFixture<S extends RunningStack = RunningStack> {
  stack: S;
  bucket: Bucket;
  api: ApiClient;
}

/** A stack that a test may break. @param media additional variables of the media service */
export async function startVideoFixture(media: Record<string, string>): Promise<VideoFixture<TestStack>> {
  return videoFixtureOf(await TestStack.start({ apps: ['organization', 'room', 'gateway', 'media'], env: { media } }));
}

export async function videoFixtureOf<S extends RunningStack>(stack: S): Promise<VideoFixture<S>> {
  return { stack, bucket: Bucket.of(stack), api: (await newOrganization(stack)).api };
}

/** Signs a token as the service does, valid until `expires` (seconds since 1970). */
export function signed(videoId: string, expires: number, key: keyof typeof MEDIA_KEYS = 'new', secret: string = MEDIA_KEYS[key]): string {
  const claim = `${videoId}/${expires.toString(36)}.${key}`;
  return `${claim}.${createHmac('sha256', secret).update(claim).digest('base64url')}`;
}

interface Row {
  status: string;
  attempt: number;
  progress: number;
  result: { type: string; entry: string; poster: string | null; renditions: { playlist: string }[] } | null;
}

/** A video as seen by its organization's backend, its uploader and its viewers. */
export class StoredVideo {
  private constructor(
    private readonly fixture: VideoFixture,
    private readonly api: ApiClient,
    readonly videoId: string,
    readonly uploadUrl: string,
  ) {}

  static async announce(
    fixture: VideoFixture,
    file: Pick<SourceFile, 'path' | 'contentType'>,
    more: object = {},
    api = fixture.api,
  ): Promise<StoredVideo> {
    const { path, contentType } = file;
    const fileName = path.slice(path.lastIndexOf('/') + 1);
    const body = { title: `Film of ${fileName}`, fileName, size: readFileSync(path).length, contentType, ...more };
    const answer = await api.post('/v1/cdn/videos', body);
    if (answer.status !== 200) throw new Error(`not announced: ${answer.status} ${answer.text}`);
    const { videoId, upload } = answer.body.data as { videoId: string; upload: { url: string } };
    return new StoredVideo(fixture, api, videoId, upload.url);
  }

  static of(fixture: VideoFixture, videoId: string): StoredVideo {
    return new StoredVideo(fixture, fixture.api, videoId, '');
  }

  /** Announces a video and uploads it over a connection that breaks twice. */
  static async sentInPieces(fixture: VideoFixture, file: Pick<SourceFile, 'path' | 'contentType'>): Promise<StoredVideo> {
    const video = await StoredVideo.announce(fixture, file);
    const bytes = readFileSync(file.path);
    const proxy = await BreakingProxy.before(
      video.uploadUrl,
      [0.25, 0.4].map((share) => Math.round(share * bytes.length)),
    );
    await video.upload(bytes, { chunkSize: Math.ceil(bytes.length / 3) }, proxy.url(video.uploadUrl));
    await proxy.close();
    if (proxy.broken !== 2) throw new Error(`the connection broke ${proxy.broken} times`);
    return video;
  }

  /** Announces a video and uploads it in one go. */
  static async sent(fixture: VideoFixture, file: Pick<SourceFile, 'path' | 'contentType'>, more: object = {}): Promise<StoredVideo> {
    const video = await StoredVideo.announce(fixture, file, more);
    await video.upload(readFileSync(file.path));
    return video;
  }

  /** Uploads with a third-party client, which resumes when a connection breaks. @throws when it gives up */
  upload(bytes: Buffer, options: Partial<UploadOptions> = {}, url = this.uploadUrl): Promise<void> {
    return new Promise((resolve, reject) => {
      const retryDelays = Array.from({ length: 200 }, () => 300);
      // The client's errors contain request and response in cycles, which jest's report can't serialize.
      new Upload(bytes, {
        uploadUrl: url,
        retryDelays,
        chunkSize: 4 * 1024 * 1024,
        ...options,
        onSuccess: () => resolve(),
        onError: ({ message }) => reject(new Error(message)),
      }).start();
    });
  }

  /** Number of bytes that the server has, from which a client can resume. */
  async offset(): Promise<number> {
    const { headers } = await fetch(this.uploadUrl, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
    return Number(headers.get('upload-offset'));
  }

  status = () => this.api.get(`${this.path}/status`);
  url = () => this.api.get(`${this.path}/url`);
  delete = () => this.api.delete(this.path);
  caption = (body: object) => this.api.post(`${this.path}/captions`, body);

  /** @throws if the video does not reach the status in time */
  async reaches(status: string, timeoutMs = 120_000): Promise<void> {
    await eventually(async () => {
      const { data } = (await this.status()).body;
      if (data.status !== status)
        throw new Error(`${this.videoId} is ${data.status} (${data.progress} %, ${data.message ?? 'no message'}), not ${status}`);
    }, timeoutMs);
  }

  /** The path with which everything below the signed prefix begins. */
  async prefix(): Promise<string> {
    const { url } = (await this.url()).body.data as { url: string };
    return url.slice(0, url.lastIndexOf('/') + 1);
  }

  async row(): Promise<Row | undefined> {
    const [row] = await this.fixture.stack.rows<Row>('SELECT status, attempt, progress, result FROM media.videos WHERE video_id = $1', [
      this.videoId,
    ]);
    return row;
  }

  /** The video's objects in the bucket, relative to its prefix. */
  async objects(): Promise<string[]> {
    const all = await this.fixture.bucket.list('videos/');
    const mark = `/${this.videoId}/`;
    return [...all.keys()]
      .filter((key) => key.includes(mark))
      .map((key) => key.slice(key.indexOf(mark) + mark.length))
      .sort();
  }

  /** The objects that the bucket must contain: the source, everything that the playlists refer to, and the captions. No others. */
  async expectedObjects(captions: string[] = []): Promise<string[]> {
    const { attempt = 0, result } = (await this.row()) ?? {};
    if (!result) return ['source'];
    const prefix = await this.prefix();
    const made = result.poster ? [result.poster] : [];
    if (result.type === 'mp4') made.push(result.entry);
    for (const { playlist } of result.type === 'hls' ? result.renditions : []) {
      const text = await (await fetch(prefix + playlist)).text();
      const folder = playlist.slice(0, playlist.lastIndexOf('/') + 1);
      const named = [...text.matchAll(/^([^#\s].*)$|URI="([^"]+)"/gm)].map(([, line, uri]) => folder + (line ?? uri ?? ''));
      made.push(playlist, ...named);
    }
    return [
      ...new Set(['source', ...captions.map((language) => `captions/${language}.vtt`), ...made.map((name) => `${attempt}/${name}`)]),
    ].sort();
  }

  private get path() {
    return `/v1/cdn/videos/${this.videoId}` as const;
  }
}

/** Requests the path exactly as it is written, with dots. `fetch` would normalize it. */
export function getRaw(origin: string, path: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, agent: false }, (answer) => {
      let body = '';
      answer
        .setEncoding('utf8')
        .on('data', (text: string) => (body += text))
        .on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    sent.on('error', reject).end();
  });
}
