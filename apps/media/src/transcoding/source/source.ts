import type { FrameRate } from '../plan/frame-rate.js';
import type { Size } from '../plan/ladder.js';

export interface Picture {
  /** Of the stream in the file. */
  index: number;
  codec: string;
  pixelFormat: string;
  /** As it is shown: turned, and with square pixels. */
  size: Size;
  frameRate: FrameRate;
  isInterlaced: boolean;
  isHdr: boolean;
  /** When its last frame ends, in seconds. */
  endsAt: number;
}

export interface Sound {
  index: number;
  codec: string;
  channels: number;
}

/** What is known of a file before it is decoded, and of it what will be used. */
export interface Source {
  /** ffmpeg's names of the container's kind. */
  formats: string[];
  /** Seconds. */
  duration: number;
  picture: Picture | undefined;
  sound: Sound | undefined;
  /** Index of a picture that only decorates sound. */
  cover: number | undefined;
}

export interface SourceLimits {
  seconds: number;
  /** Pixels of the larger side. */
  side: number;
}
