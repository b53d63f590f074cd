import { Injectable } from '@nestjs/common';
import type { VideoEntity } from '../schema/video.entity.js';
import { CaptionsRepository, type Caption } from '../stored/captions.repository.js';
import { attemptPrefixOf, captionKeyOf } from '../stored/object-keys.js';
import { VideosRepository } from '../stored/videos.repository.js';

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

export type PlayableVideo = VideoEntity & { captions: Caption[] };

export type Located =
  | { kind: 'master' }
  | { kind: 'captionPlaylist'; caption: Caption }
  /** `isImmutable` is false for captions, which may be replaced. The output of an attempt never changes. */
  | { kind: 'object'; key: string; isImmutable: boolean };

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}\.(?:m3u8|ts|m4s|mp4|m4a|aac)$/;
const CAPTION = /^captions\/([a-z0-9-]{2,40})\.(vtt|m3u8)$/;

/** Resolves a path below a video's signed prefix. Undefined if it is not one of the files that may be played. */
export function locateFile(video: PlayableVideo, path: string): Located | undefined {
  const { result } = video;
  if (!result || video.status !== 'completed') return undefined;
  const object = (name: string): Located => ({ kind: 'object', key: `${attemptPrefixOf(video, video.attempt)}${name}`, isImmutable: true });
  if (path === 'poster.jpg') return result.poster === null ? undefined : object(result.poster);
  if (result.type === 'mp4') return path === result.entry ? object(path) : undefined;
  if (path === 'master.m3u8') return { kind: 'master' };
  const [, language, extension] = CAPTION.exec(path) ?? [];
  const caption = video.captions.find((one) => one.language.toLowerCase() === language);
  if (caption && extension === 'm3u8') return { kind: 'captionPlaylist', caption };
  if (caption) return { kind: 'object', key: captionKeyOf(video, caption.language), isImmutable: false };
  const folder = folderOf(path);
  const isOfVariant = result.renditions.some(({ playlist }) => folderOf(playlist) === folder);
  return isOfVariant && NAME.test(path.slice(folder.length)) ? object(path) : undefined;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
