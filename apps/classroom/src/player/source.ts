import type { Failure } from './failure.js';

export interface Quality {
  id: number;
  label: string;
}

/** What a source reports while it loads. */
export interface SourceListener {
  onQualities(list: Quality[]): void;
  /** The quality that plays now. */
  onQualityPlaying(quality: number): void;
  onCaptions(list: CaptionTrack[], shown: number | null): void;
  /** True if the network or server does not respond; false as soon as data arrives again. */
  onConnectionLost(isOffline: boolean): void;
  onFailed(failure: Failure): void;
}

export interface CaptionTrack {
  id: number;
  label: string;
}

/** Loads picture and sound: with hls.js, or with the browser alone. */
export interface Source {
  /** Call when the user starts the video. Before that, the source loads only what the first picture needs. */
  startBuffering(): void;
  setQuality(quality: number | null): void;
  showCaption(id: number | null): void;
  close(): void;
}

/**
 * Whether the browser supports Media Source, which hls.js needs. Without it, as on an older iPhone, the browser plays playlists
 * natively.
 */
export function hasMediaSource(): boolean {
  const { ManagedMediaSource, MediaSource } = window as {
    ManagedMediaSource?: typeof globalThis.MediaSource;
    MediaSource?: typeof globalThis.MediaSource;
  };
  return (ManagedMediaSource ?? MediaSource)?.isTypeSupported('video/mp4; codecs="avc1.42E01E,mp4a.40.2"') ?? false;
}
