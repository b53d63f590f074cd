import type { AllowedInput } from '@classroom/sandbox';
import type { FrameRate } from './frame-rate.js';
import type { Size } from './ladder.js';

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

const list = (names: string) => names.trim().split(/\s+/);

/** What a source may contain: containers that reference no other file or address, and decoders that are in common use. */
export const SOURCE_INPUT: AllowedInput = {
  formats: list(`
    mov mp4 m4a 3gp 3g2 mj2 matroska webm avi mpegts mpeg flv asf mxf ogg wav w64 aiff caf mp3 aac flac ac3 eac3 amr dv
  `),
  decoders: list(`
    h264 hevc av1 libdav1d libaom-av1 vp8 vp9 libvpx libvpx-vp9 theora mpeg1video mpeg2video mpeg4 msmpeg4v1 msmpeg4v2
    msmpeg4 h263 flv wmv1 wmv2 wmv3 vc1 mjpeg png prores dnxhd dvvideo ffv1 huffyuv rawvideo qtrle tscc tscc2 flashsv
    flashsv2 mss2 aac aac_latm mp3float mp3 mp2float mp2 ac3 eac3 dca opus libopus vorbis libvorbis flac alac wmav1
    wmav2 wmapro amrnb amrwb libopencore_amrnb libopencore_amrwb speex libspeex adpcm_ms adpcm_ima_wav adpcm_ima_qt
    adpcm_swf nellymoser pcm_alaw pcm_mulaw pcm_u8 pcm_s8 pcm_s16le pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be
    pcm_f32le pcm_f32be pcm_f64le pcm_f64be pcm_dvd pcm_bluray pcm_lxf
  `),
};

/** The file itself is at fault, so a retry would end the same. The message is for users. */
export class RejectedSource extends Error {
  override readonly name = 'RejectedSource';
}

export const REJECTIONS = {
  unreadable: 'The file can’t be read: it is no video or audio file of a kind that is taken, or it is damaged',
  empty: 'The file has no picture and no sound that can be decoded',
  truncated: 'The file is cut short: it ends before the length it tells',
  undecodable: 'The file is damaged: its picture or sound can’t be decoded',
  stalled: 'The file can’t be transcoded: nothing came of it for a minute',
  missing: 'The uploaded file is not in the storage any more',
  interrupted: 'The file could not be transcoded: the work on it was interrupted too often',
} as const;

export const rejectSource = (reason: keyof typeof REJECTIONS, cause?: unknown) => new RejectedSource(REJECTIONS[reason], { cause });
