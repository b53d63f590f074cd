import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const AUDIO_RATE = 8_000;
/** Seconds; a flash or beep begins after so long without one. */
const BETWEEN = 0.3;

export interface Film {
  /** Seconds. */
  duration: number;
  codecs: string[];
  size: { width: number; height: number };
  /** Frames a second over its whole length. */
  fps: number;
  /** Seconds from the file's beginning at which the picture turned bright, and at which a sound began. */
  flashes: number[];
  beeps: number[];
}

/** Decodes a file to its end. @throws where any of it can't be decoded */
export async function watch(file: string): Promise<Film> {
  const { stdout } = await exec('ffprobe', ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', file]);
  const probe = JSON.parse(stdout) as Probe;
  const video = probe.streams.find(({ codec_type }) => codec_type === 'video');
  const light = await brightness(file);
  const sound = await decode(['-i', file, '-vn', '-ac', '1', '-ar', String(AUDIO_RATE), '-f', 's16le', '-']);
  const samples = new Int16Array(sound.buffer, sound.byteOffset, sound.length >> 1);
  const levels = light.map(({ level }) => level);
  const bright = (Math.min(...levels) + Math.max(...levels)) / 2;
  return {
    duration: Number(probe.format.duration),
    codecs: probe.streams.map(({ codec_name }) => codec_name),
    size: { width: video?.width ?? 0, height: video?.height ?? 0 },
    fps: light.length / Number(probe.format.duration),
    flashes: beginnings(light.map(({ at, level }) => ({ at, isOn: level > bright }))),
    beeps: beginnings([...samples].map((value, index) => ({ at: index / AUDIO_RATE, isOn: Math.abs(value) > 2_000 }))),
  };
}

/** How much later the picture is than the sound, in milliseconds: the middle of all seconds. */
export function offsetOf({ flashes, beeps }: Film): number {
  const offsets = flashes.flatMap((flash) => {
    const near = beeps.filter((beep) => Math.abs(beep - flash) < 0.5).map((beep) => (flash - beep) * 1000);
    return near.slice(0, 1);
  });
  return offsets.sort((a, b) => a - b)[offsets.length >> 1] ?? NaN;
}

interface Probe {
  streams: { codec_type: string; codec_name: string; width?: number; height?: number }[];
  format: { duration: string };
}

function beginnings(moments: { at: number; isOn: boolean }[]): number[] {
  const found: number[] = [];
  let lastOn = -Infinity;
  for (const { at, isOn } of moments) {
    if (!isOn) continue;
    if (at - lastOn > BETWEEN) found.push(at);
    lastOn = at;
  }
  return found;
}

/** Each frame's time and mean brightness. */
async function brightness(file: string): Promise<{ at: number; level: number }[]> {
  const filter = 'scale=16:9,signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-';
  const text = (await decode(['-i', file, '-an', '-vf', filter, '-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'null', '-'])).toString();
  return [...text.matchAll(/pts_time:([\d.]+)\s+lavfi\.signalstats\.YAVG=([\d.]+)/g)].map(([, at, level]) => ({ at: Number(at), level: Number(level) }));
}

/** @throws where ffmpeg complains of anything */
async function decode(args: string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 256 * 1024 ** 2 } as const;
  const { stdout, stderr } = await exec('ffmpeg', ['-nostdin', '-v', 'error', ...args], options);
  if (stderr.length > 0) throw new Error(`the file can't be decoded: ${stderr.toString()}`);
  return stdout;
}
