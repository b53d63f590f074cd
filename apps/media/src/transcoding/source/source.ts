import type { FrameRate } from '../plan/frame-rate.js';
import type { Size } from '../plan/ladder.js';

/** A complete description of wide (HDR) colours, in ffmpeg's names. */
export interface HdrColors {
  transfer: string;
  primaries: string;
  matrix: string;
}

export interface VideoStream {
  /** Index of the stream in the file. */
  index: number;
  codec: string;
  pixelFormat: string;
  /** As displayed: rotated, and with square pixels. */
  size: Size;
  frameRate: FrameRate;
  isInterlaced: boolean;
  /** Undefined if its colours are those of every screen. */
  hdr: HdrColors | undefined;
  /** Time of its first frame, in seconds from the beginning of the file. */
  startsAt: number;
  /** End of its last frame, in seconds from the beginning of the file. */
  endsAt: number;
}

export interface AudioStream {
  index: number;
  codec: string;
  channels: number;
  /** Time of its first sample, in seconds from the beginning of the file. */
  startsAt: number;
}

/** What is known about a file before it is decoded, with the streams that will be used. */
export interface Source {
  /** ffmpeg's names for the container format. */
  formats: string[];
  /** Seconds. */
  duration: number;
  video: VideoStream | undefined;
  audio: AudioStream | undefined;
  /** Stream index of a still picture that only accompanies sound. */
  cover: number | undefined;
}

export interface SourceLimits {
  seconds: number;
  /** Pixels of the larger side. */
  side: number;
}
