import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DataSource } from 'typeorm';
import { quotasOf, type Quotas } from '@classroom/contracts';
import { MESSAGING_MIGRATIONS, Outbox, type OutboxRelay, type RpcClient } from '@classroom/messaging';
import { connect, Database, runMigrations } from '@classroom/persistence';
import { Clock, Dependencies, ShutdownDeadline, logger } from '@classroom/platform';
import { ObjectStorage, type StorageConfig } from '@classroom/storage';
import { storageOf, TestStack } from '@classroom/testing';
import { entities } from '../../src/schema/sql.js';
import { VideoEntity } from '../../src/schema/video.entity.js';
import type { MediaConfig } from '../../src/config.js';
import { LibrariesRepository } from '../../src/stored/libraries.repository.js';
import { VideoQuotas } from '../../src/stored/video-quotas.js';
import { TranscodingTools } from '../../src/transcoding/transcoding-tools.js';
import { TranscodeVideo } from '../../src/transcoding/transcode-video.js';
import { WaitingVideosRepository } from '../../src/transcoding/waiting-videos.repository.js';
import { WorkFolders } from '../../src/transcoding/work-folders.js';
import { attemptPrefixOf, prefixOf, sourceKeyOf } from '../../src/stored/object-keys.js';
import { VideosRepository } from '../../src/stored/videos.repository.js';

class WallClock extends Clock {
  override now(): Date {
    return new Date();
  }
}

/** Does what the queue's worker does, in a process of its own. */
class Worker {
  private readonly stopping = new AbortController();
  private readonly attempts = new Set<Promise<void>>();

  constructor(private readonly transcodeVideo: TranscodeVideo) {}

  execute(videoId: string): Promise<void> {
    const attempt = this.transcodeVideo.execute(videoId, this.stopping.signal);
    this.attempts.add(attempt);
    return attempt;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.attempts);
  }
}

/** The transcoder with a real Postgres and a real storage, without the queue that calls it. */
export class TranscodingFixture {
  readonly clock = new WallClock();
  readonly videos: VideosRepository;
  readonly waitingVideos: WaitingVideosRepository;
  readonly quotas: VideoQuotas;
  /** Of each organization; undefined for those of the installation. */
  organizationQuotas: Quotas = quotasOf(null);
  private readonly tools: TranscodingTools;
  private readonly workers: Worker[] = [];

  private constructor(
    readonly stack: TestStack,
    readonly home: string,
    readonly dataSource: DataSource,
    readonly config: MediaConfig,
    readonly storage: ObjectStorage,
  ) {
    this.tools = new TranscodingTools(config, new Dependencies());
    const database = new Database(dataSource);
    this.waitingVideos = new WaitingVideosRepository(database);
    this.videos = new VideosRepository(database, new Outbox(this.clock, { wake: () => undefined } as OutboxRelay));
    const organization = { call: async () => ({ quotas: this.organizationQuotas }) } as unknown as RpcClient;
    this.quotas = new VideoQuotas(config, database, new LibrariesRepository(database), this.videos, organization, this.clock);
  }

  static async start(): Promise<TranscodingFixture> {
    logger.level = process.env['LOG_LEVEL'] ?? 'silent';
    const stack = await TestStack.parts(['postgres', 'redis', 's3'], { isMigrated: true });
    const url = new URL(stack.urls.postgresAdmin);
    url.username = 'classroom_media';
    url.password = 'pw';
    const migrations = { DATABASE_URL: url.href, DATABASE_ADMIN_URL: stack.urls.postgresAdmin };
    await runMigrations({
      schema: 'media',
      directories: [MESSAGING_MIGRATIONS, join(__dirname, '..', '..', 'migrations')],
      config: migrations,
    });
    const dataSource = await connect({ url: url.href, schema: 'media', entities });
    const home = await mkdtemp(join(tmpdir(), 'transcoding-'));
    const s3: StorageConfig = { ...storageOf(stack, 'media'), S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: true };
    const limits = { TRANSCODING_SLOTS: 1, TRANSCODING_LEASE_SECONDS: 60 };
    const quotas = { VIDEO_GIB_PER_ORGANIZATION: 1_000, VIDEO_MINUTES_PER_MONTH: 20_000 };
    const config = {
      ...s3,
      ...limits,
      ...quotas,
      FFMPEG_PATH: process.env['FFMPEG_PATH'] ?? 'ffmpeg',
      PATH: process.env['PATH'] ?? '',
      ROLES: ['worker'],
      MEDIA_WORK_HOME: join(home, 'work'),
    } as unknown as MediaConfig;
    return new TranscodingFixture(stack, home, dataSource, config, new ObjectStorage(s3));
  }

  async stop(): Promise<void> {
    await this.shutDown();
    this.storage.close();
    await this.dataSource.destroy();
    await this.stack.stop();
    await rm(this.home, { recursive: true, force: true });
  }

  /** A worker as a process of its own would have it. */
  worker({ storage = this.storage, drainSeconds = 25 } = {}): Worker {
    const grace = new ShutdownDeadline({ DRAIN_SECONDS: drainSeconds });
    const folders = new WorkFolders(this.config);
    const transcodeVideo = new TranscodeVideo(this.config, this.videos, this.quotas, storage, this.tools, folders, this.clock, grace);
    const worker = new Worker(transcodeVideo);
    this.workers.push(worker);
    return worker;
  }

  /** Stops the workers as Background does when the process ends. */
  async shutDown(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop()));
  }

  /** A video whose source is in the bucket, waiting for a worker. */
  async waiting(file: string, playback: 'hls' | 'mp4' = 'hls'): Promise<string> {
    const videoId = `vid_${randomBytes(10).toString('hex')}`;
    await this.storage.upload(sourceKeyOf({ organizationId: 'org_1', videoId }), { file }, { contentType: 'video/mp4' });
    await this.insert(videoId, 'org_1', -1, { playback });
    return videoId;
  }

  /** A video without a source, which is due `dueIn` seconds from now. */
  async insert(videoId: string, organizationId: string, dueIn: number, more: Pick<Partial<VideoEntity>, 'playback' | 'status'> = {}) {
    const now = Date.now();
    await this.dataSource.manager.insert(VideoEntity, {
      videoId,
      organizationId,
      title: 'A film',
      fileName: 'film.mp4',
      contentType: 'video/mp4',
      playback: 'hls',
      size: 1,
      status: 'pending',
      transcodeAt: new Date(now + dueIn * 1_000),
      createdAt: new Date(now),
      ...more,
    });
  }

  /** Changes a video as another process would. */
  async change(videoId: string, values: Pick<Partial<VideoEntity>, 'attempt' | 'deletedAt' | 'transcodeAt'>): Promise<void> {
    await this.dataSource.manager.update(VideoEntity, { videoId }, values);
  }

  async row(videoId: string): Promise<VideoEntity> {
    const row = await this.videos.find(videoId);
    if (!row) throw new Error('there is no such video');
    return row;
  }

  async transcoded(file: string, playback: 'hls' | 'mp4' = 'hls'): Promise<VideoEntity> {
    const videoId = await this.waiting(file, playback);
    await this.worker().execute(videoId);
    return this.row(videoId);
  }

  /** Keys relative to the video's prefix, without the source. */
  async objects(video: VideoEntity): Promise<string[]> {
    const keys: string[] = [];
    const prefix = prefixOf(video);
    for await (const { key } of this.storage.list(prefix)) keys.push(key.slice(prefix.length));
    return keys.filter((key) => key !== 'source');
  }

  /** Downloads the attempt's output. @returns its folder */
  async fetch(video: VideoEntity): Promise<string> {
    const folder = await mkdtemp(join(this.home, 'fetched-'));
    const prefix = attemptPrefixOf(video, video.attempt);
    for await (const { key } of this.storage.list(prefix)) {
      const file = join(folder, key.slice(prefix.length));
      await mkdir(dirname(file), { recursive: true });
      await pipeline(await this.storage.read(key), createWriteStream(file));
    }
    return folder;
  }

  async file(name: string, content: string | Buffer): Promise<string> {
    const file = join(this.home, name);
    await writeFile(file, content);
    return file;
  }

  /** The entries of the work folder. */
  left(): Promise<string[]> {
    return readdir(this.config.MEDIA_WORK_HOME).catch(() => []);
  }
}
