import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ffmpegPath, ffprobePath } from './ffmpeg.js';

const exec = promisify(execFile);
const AUDIO_RATE = 8_000;
/** Block of samples in which the loudest counts: 8 ms. */
const BLOCK = 64;
/** How much brighter (of 255) the whole picture gets within a few frames when a participant's picture flashes. */
const FLASH = 45;
const FLASH_FRAMES = 6;
/** A flash or beep begins after this many seconds without one. */
const MIN_GAP_S = 0.4;

export interface Film {
  /** In seconds. */
  duration: number;
  codecs: string[];
  size: { width: number; height: number };
  /** Each frame's time, mean brightness and mean V, which shows whose color dominates. */
  frames: { at: number; light: number; red: number }[];
  /** Seconds from the file's beginning at which the picture turned bright. */
  flashes: number[];
}

/**
 * Decodes the whole picture.
 * @throws if any part of it cannot be decoded
 */
export async function watchFilm(file: string): Promise<Film> {
  const { stdout } = await exec(ffprobePath(), ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', file]);
  const { streams, format } = JSON.parse(stdout) as {
    streams: { codec_name: string; width?: number; height?: number }[];
    format: { duration: string };
  };
  const picture = streams.find(({ width }) => width !== undefined);
  const frames = picture ? await measureFrames(file) : [];
  return {
    duration: Number(format.duration),
    codecs: streams.map(({ codec_name }) => codec_name).sort(),
    size: { width: picture?.width ?? 0, height: picture?.height ?? 0 },
    frames,
    flashes: beginnings(
      frames.map(({ at, light }, index) => {
        const before = frames.slice(Math.max(0, index - FLASH_FRAMES), index).map((frame) => frame.light);
        return { at, isOn: light - Math.min(light, ...before) > FLASH };
      }),
    ),
  };
}

/**
 * Decodes the whole sound and returns when each beep began; with `hertz`, only beeps of that frequency.
 * @throws if any part of it cannot be decoded
 */
export async function beepsOf(file: string, hertz?: number): Promise<number[]> {
  // By the timestamps, as a player does: sound may be missing, and where two files were merged, a frame of sound overlaps another.
  const filters = ['aresample=async=1:first_pts=0', ...(hertz === undefined ? [] : [`bandpass=f=${hertz}:width_type=h:w=150`])].join(',');
  const sound = await decode(['-i', file, '-vn', '-ac', '1', '-af', filters, '-ar', String(AUDIO_RATE), '-f', 's16le', '-']);
  const samples = new Int16Array(sound.buffer, sound.byteOffset, sound.length >> 1);
  const blocks = Array.from({ length: Math.floor(samples.length / BLOCK) }, (_, i) => samples.subarray(i * BLOCK, (i + 1) * BLOCK));
  return beginnings(blocks.map((block, i) => ({ at: (i * BLOCK) / AUDIO_RATE, isOn: Math.max(...block) > 2_000 })));
}

/** The seconds between `from` and `to` in which an event that occurs once a second is missing. */
export function missingSeconds(moments: number[], from: number, to: number): number[] {
  const [first = 0] = moments;
  const shifts = moments.map((at) => at - first - Math.round(at - first)).sort((a, b) => a - b);
  const phase = first + (shifts[shifts.length >> 1] ?? 0);
  const begin = Math.ceil(from - phase);
  const due = Array.from({ length: Math.max(0, Math.floor(to - phase) - begin + 1) }, (_, i) => phase + begin + i);
  return due.filter((second) => !moments.some((at) => Math.abs(at - second) < 0.3));
}

/** How much later the picture is than the sound, in milliseconds: the median of all seconds. */
export function offsetOf(flashes: number[], beeps: number[]): number {
  const offsets = flashes.flatMap((flash) => {
    const near = beeps.filter((beep) => Math.abs(beep - flash) < 0.5).map((beep) => (flash - beep) * 1000);
    return near.slice(0, 1);
  });
  return offsets.sort((a, b) => a - b)[offsets.length >> 1] ?? NaN;
}

/** The frame at that second: RGB, three bytes per pixel, row by row. */
export async function stillOf(file: string, at: number): Promise<Buffer> {
  return decode(['-ss', at.toFixed(3), '-i', file, '-an', '-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']);
}

function beginnings(moments: { at: number; isOn: boolean }[]): number[] {
  const found: number[] = [];
  let lastOn = -Infinity;
  for (const { at, isOn } of moments) {
    if (!isOn) continue;
    if (at - lastOn > MIN_GAP_S) found.push(at);
    lastOn = at;
  }
  return found;
}

async function measureFrames(file: string): Promise<Film['frames']> {
  const print = ['YAVG', 'VAVG'].map((key) => `metadata=print:key=lavfi.signalstats.${key}:file=-`);
  const filter = ['scale=64:36', 'signalstats', ...print].join(',');
  const text = (
    await decode(['-i', file, '-an', '-vf', filter, '-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'null', '-'])
  ).toString();
  const values = (key: string) => [...text.matchAll(new RegExp(`pts_time:([\\d.]+)\\s+lavfi\\.signalstats\\.${key}=([\\d.]+)`, 'g'))];
  const reds = values('VAVG');
  return values('YAVG').map(([, at, light], i) => ({ at: Number(at), light: Number(light), red: Number(reds[i]?.[2]) }));
}

/** @throws if ffmpeg reports any error */
async function decode(args: string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 256 * 1024 ** 2 } as const;
  const { stdout, stderr } = await exec(ffmpegPath(), ['-nostdin', '-v', 'error', ...args], options);
  if (stderr.length > 0) throw new Error(`the file can't be decoded: ${stderr.toString()}`);
  return stdout;
}
