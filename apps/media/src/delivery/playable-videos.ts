import { Injectable } from '@nestjs/common';
import { CaptionsRepository } from '../captions/captions.repository.js';
import { VideosRepository } from '../videos/videos.repository.js';
import type { PlayableVideo } from './locate-file.js';

/** How long a row is cached: a deleted video may still be played, and new captions are invisible, for this long. */
const CACHE_TTL_MS = 2_000;
const MAX_ENTRIES = 2_000;

interface CacheEntry {
  until: number;
  video: Promise<PlayableVideo | undefined>;
}

/** Rows for delivery, cached: a player requests a file each second, and a class has hundreds of players. */
@Injectable()
export class PlayableVideos {
  private readonly cache = new Map<string, CacheEntry>();

  constructor(
    private readonly videos: VideosRepository,
    private readonly captions: CaptionsRepository,
  ) {}

  /** Undefined if the video does not exist or is deleted. */
  find(videoId: string): Promise<PlayableVideo | undefined> {
    const now = performance.now();
    const cached = this.cache.get(videoId);
    if (cached && cached.until > now) return cached.video;
    const video = this.read(videoId);
    this.cache.delete(videoId);
    this.cache.set(videoId, { until: now + CACHE_TTL_MS, video });
    const [oldest] = this.cache.keys();
    if (this.cache.size > MAX_ENTRIES && oldest !== undefined) this.cache.delete(oldest);
    // A failed read is not cached: the next request reads again.
    video.catch(() => this.cache.delete(videoId));
    return video;
  }

  private async read(videoId: string): Promise<PlayableVideo | undefined> {
    const [row, captions] = await Promise.all([this.videos.find(videoId), this.captions.ofVideo(videoId)]);
    return row && !row.deletedAt ? { ...row, captions } : undefined;
  }
}
