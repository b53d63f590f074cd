import type { Caption } from '../captions/captions.repository.js';
import type { VideoEntity } from '../schema/video.entity.js';
import { attemptPrefixOf, captionKeyOf } from '../videos/object-keys.js';

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
