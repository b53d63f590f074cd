import type { Failure } from './failure.js';

export interface Quality {
  id: number;
  label: string;
}

/** What a source tells while it loads. */
export interface Listener {
  qualities(list: Quality[]): void;
  /** The one that is loaded now. */
  plays(quality: number): void;
  captions(list: CaptionTrack[], shown: number | null): void;
  /** False as soon as something arrives again. */
  lost(isLost: boolean): void;
  fails(failure: Failure): void;
}

export interface CaptionTrack {
  id: number;
  label: string;
}

/** Where picture and sound come from: hls.js, or the browser by itself. */
export interface Source {
  /** The user wants to see it: until then only as much is loaded as the first picture needs. */
  wanted(): void;
  choose(quality: number | null): void;
  showCaption(id: number | null): void;
  close(): void;
}

/** hls.js needs it; where it is missing, as on an older iPhone, the browser plays playlists itself. */
export function hasMediaSource(): boolean {
  const { ManagedMediaSource, MediaSource } = window as {
    ManagedMediaSource?: typeof globalThis.MediaSource;
    MediaSource?: typeof globalThis.MediaSource;
  };
  return (ManagedMediaSource ?? MediaSource)?.isTypeSupported('video/mp4; codecs="avc1.42E01E,mp4a.40.2"') ?? false;
}
