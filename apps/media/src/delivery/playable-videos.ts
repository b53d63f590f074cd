import { Injectable } from '@nestjs/common';
import { CaptionsRepository } from '../captions/captions.repository.js';
import { VideosRepository } from '../videos/videos.repository.js';
import type { PlayableVideo } from './locate-file.js';

/** How long a row is cached: a deleted video may still be played, and new captions are invisible, for this long. */
const KEPT_MS = 2_000;
const MOST = 2_000;

interface Kept {
  until: number;
  video: Promise<PlayableVideo | undefined>;
}

/** Rows for delivery, cached: a player requests a file each second, and a class has hundreds of players. */
@Injectable()
export class PlayableVideos {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly videos: VideosRepository,
    private readonly captions: CaptionsRepository,
  ) {}

  /** Undefined if the video does not exist or is deleted. */
  find(videoId: string): Promise<PlayableVideo | undefined> {
    const now = performance.now();
    const known = this.kept.get(videoId);
    if (known && known.until > now) return known.video;
    const video = this.read(videoId);
    this.kept.delete(videoId);
    this.kept.set(videoId, { until: now + KEPT_MS, video });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST && oldest !== undefined) this.kept.delete(oldest);
    // A failed read is not cached: the next request reads again.
    video.catch(() => this.kept.delete(videoId));
    return video;
  }

  private async read(videoId: string): Promise<PlayableVideo | undefined> {
    const [row, captions] = await Promise.all([this.videos.find(videoId), this.captions.ofVideo(videoId)]);
    return row && !row.deletedAt ? { ...row, captions } : undefined;
  }
}
