import { Injectable } from '@nestjs/common';
import { CaptionsRepository } from '../captions/captions.repository.js';
import { VideosRepository } from '../videos/videos.repository.js';
import type { PlayableVideo } from './locate-file.js';

/** A deleted video may be played for so long, and new captions are not seen before. */
const KEPT_MS = 2_000;
const MOST = 2_000;

interface Kept {
  until: number;
  video: Promise<PlayableVideo | undefined>;
}

/** Rows as the delivery needs them: a player asks for a file each second, a class of players for hundreds. */
@Injectable()
export class PlayableVideos {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly videos: VideosRepository,
    private readonly captions: CaptionsRepository,
  ) {}

  /** Undefined where there is none, or none any more. */
  find(videoId: string): Promise<PlayableVideo | undefined> {
    const now = performance.now();
    const known = this.kept.get(videoId);
    if (known && known.until > now) return known.video;
    const video = this.read(videoId);
    this.kept.delete(videoId);
    this.kept.set(videoId, { until: now + KEPT_MS, video });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST && oldest !== undefined) this.kept.delete(oldest);
    // What could not be read is asked for again by the next.
    video.catch(() => this.kept.delete(videoId));
    return video;
  }

  private async read(videoId: string): Promise<PlayableVideo | undefined> {
    const [row, captions] = await Promise.all([this.videos.find(videoId), this.captions.ofVideo(videoId)]);
    return row && !row.deletedAt ? { ...row, captions } : undefined;
  }
}
