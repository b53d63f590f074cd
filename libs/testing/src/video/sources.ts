import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBox } from './boxes.js';
import { ffmpeg } from './ffmpeg.js';

export interface SourceFile {
  kind: SourceKind;
  path: string;
  contentType: string;
  /** In seconds. */
  seconds: number;
  /** The size at which it is shown; null for sound only. */
  picture: { width: number; height: number } | null;
  hasSound: boolean;
}

interface Recipe {
  extension: string;
  contentType: string;
  /** The coded size; if the file has a rotation, it is shown with width and height exchanged. */
  size?: [number, number];
  isSilent?: boolean;
  isTurned?: boolean;
  args: string[];
}

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const AAC = ['-c:a', 'aac', '-b:a', '96k'];
const SMALL: [number, number] = [640, 360];

/** Thirteen kinds of files that users upload, with a moving picture that shows its time, a tone, or both. */
const RECIPES = {
  'mp4-faststart': { extension: 'mp4', contentType: 'video/mp4', size: [1280, 720], args: [...H264, ...AAC, '-movflags', '+faststart'] },
  'mov-index-last': { extension: 'mov', contentType: 'video/quicktime', size: SMALL, args: [...H264, ...AAC] },
  'ten-bit': {
    extension: 'mp4',
    contentType: 'video/mp4',
    size: SMALL,
    args: [
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'log-level=error',
      '-pix_fmt',
      'yuv420p10le',
      '-tag:v',
      'hvc1',
      ...AAC,
    ],
  },
  'webm-vp9': {
    extension: 'webm',
    contentType: 'video/webm',
    size: [426, 240],
    args: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '300k', '-c:a', 'libopus'],
  },
  'mpeg2-ts': {
    extension: 'ts',
    contentType: 'video/mp2t',
    size: SMALL,
    args: ['-c:v', 'mpeg2video', '-b:v', '2M', '-c:a', 'mp2', '-f', 'mpegts'],
  },
  'mpeg4-avi': {
    extension: 'avi',
    contentType: 'video/x-msvideo',
    size: [320, 240],
    args: ['-c:v', 'mpeg4', '-b:v', '800k', '-c:a', 'libmp3lame'],
  },
  'portrait-turned': { extension: 'mp4', contentType: 'video/mp4', size: SMALL, isTurned: true, args: [...H264, ...AAC] },
  // An odd width is impossible in a 4:2:0 picture.
  'odd-size': {
    extension: 'mkv',
    contentType: 'video/x-matroska',
    size: [321, 241],
    args: ['-vf', 'scale=321:241', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p', ...AAC],
  },
  'variable-rate': {
    extension: 'mp4',
    contentType: 'video/mp4',
    size: SMALL,
    args: ['-vf', `select='lt(t,1)+not(mod(n,7))'`, '-fps_mode', 'vfr', ...H264, ...AAC],
  },
  silent: { extension: 'mp4', contentType: 'video/mp4', size: SMALL, isSilent: true, args: H264 },
  'many-tracks': {
    extension: 'mkv',
    contentType: 'video/x-matroska',
    size: SMALL,
    args: [
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-map',
      '1:a',
      '-map',
      '1:a',
      ...H264,
      '-c:a:0',
      'aac',
      '-c:a:1',
      'libopus',
      '-c:a:2',
      'ac3',
      '-ac',
      '2',
    ],
  },
  'sound-only': { extension: 'm4a', contentType: 'audio/mp4', args: AAC },
  'sound-mp3': { extension: 'mp3', contentType: 'audio/mpeg', args: ['-c:a', 'libmp3lame'] },
} satisfies Record<string, Recipe>;

export type SourceKind = keyof typeof RECIPES;
export const SOURCE_KINDS = Object.keys(RECIPES) as SourceKind[];

/** Writes one file into the folder. */
export async function makeSource(folder: string, kind: SourceKind, seconds = 4, { fps = 25 } = {}): Promise<SourceFile> {
  const { extension, contentType, size, isSilent = false, isTurned = false, args }: Recipe = RECIPES[kind];
  const path = join(folder, `${kind}-${seconds}.${extension}`);
  const picture = size ? ['-f', 'lavfi', '-i', `testsrc2=size=${size.join('x')}:rate=${fps}:duration=${seconds}`] : [];
  const sound = isSilent ? [] : ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`];
  await ffmpeg(['-v', 'error', ...picture, ...sound, ...args, path]);
  if (isTurned) turn(path);
  const [width = 0, height = 0] = isTurned ? (size?.toReversed() ?? []) : (size ?? []);
  return { kind, path, contentType, seconds, picture: size ? { width, height } : null, hasSound: !isSilent };
}

/** A quarter turn as by a phone, written into the track header, because ffmpeg's option for it differs between versions. */
function turn(path: string): void {
  const file = readFileSync(path);
  const matrixAt = findBox(file, 'moov/trak/tkhd').body + 40;
  const one = 0x1_0000;
  for (const [at, value] of [0, one, 0, -one, 0, 0, 360 * one, 0, 0x4000_0000].entries()) file.writeInt32BE(value, matrixAt + at * 4);
  writeFileSync(path, file);
}
