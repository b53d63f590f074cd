import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MOST_OUTPUT = 64 * 1024 * 1024;

export const ffmpegPath = (): string => process.env['FFMPEG_PATH'] ?? 'ffmpeg';
export const ffprobePath = (): string => join(dirname(ffmpegPath()), 'ffprobe');

/**
 * Runs the tests' own ffmpeg and returns its output.
 * @throws Error with the last lines of stderr
 */
export async function ffmpeg(args: readonly string[], timeoutMs = 60_000): Promise<string> {
  try {
    const { stdout, stderr } = await run(ffmpegPath(), ['-hide_banner', '-nostdin', '-y', ...args], {
      timeout: timeoutMs,
      maxBuffer: MOST_OUTPUT,
    });
    return `${stdout}${stderr}`;
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    throw new Error(`ffmpeg failed: ${stderr.trim().split('\n').slice(-5).join('\n') || message}`, { cause: error });
  }
}

export interface Streams {
  /** In seconds. */
  duration: number;
  video: { width: number; height: number; codec: string; pixelFormat: string; frames: number }[];
  audio: { codec: string; packets: number }[];
}

/** The streams of a file or address, which is read to its end. */
export async function probe(source: string, options: readonly string[] = []): Promise<Streams> {
  const args = [
    '-v',
    'error',
    ...options,
    '-count_packets',
    '-show_entries',
    'format=duration:stream=codec_type,codec_name,width,height,pix_fmt,nb_read_packets',
    '-of',
    'json',
    source,
  ];
  const { stdout } = await run(ffprobePath(), args, { timeout: 60_000, maxBuffer: MOST_OUTPUT });
  const { streams, format } = JSON.parse(stdout) as { streams: Record<string, string | number>[]; format: { duration?: string } };
  const of = (type: string) => streams.filter((stream) => stream['codec_type'] === type);
  return {
    duration: Number(format.duration),
    video: of('video').map(({ width, height, codec_name: codec, pix_fmt: pixelFormat, nb_read_packets: frames }) => ({
      width: Number(width),
      height: Number(height),
      codec: String(codec),
      pixelFormat: String(pixelFormat),
      frames: Number(frames),
    })),
    audio: of('audio').map(({ codec_name: codec, nb_read_packets: packets }) => ({ codec: String(codec), packets: Number(packets) })),
  };
}

/**
 * Plays to the end what a player would fetch. Returns how many seconds were decoded, of picture and of sound.
 * @throws if a piece is broken
 */
export async function playToEnd(url: string): Promise<{ seconds: number; complaints: string[] }> {
  const output = await ffmpeg([
    '-v',
    'warning',
    '-xerror',
    '-protocol_whitelist',
    'http,https,tcp,tls,crypto',
    '-i',
    url,
    '-map',
    '0',
    '-map',
    '-0:s?',
    '-progress',
    'pipe:1',
    // The stream's own clock. ffmpeg would count frames at a rate that it guesses from the first ones: from 13 frames, 30 for 30.427.
    '-enc_time_base:v',
    '-1',
    '-f',
    'null',
    '-',
  ]);
  const times = [...output.matchAll(/^out_time_us=(\d+)$/gm)].map(([, time]) => Number(time) / 1e6);
  const complaints = output.split('\n').filter((line) => /error|invalid|corrupt|non[- ]monoton|missing|discontinu/i.test(line));
  return { seconds: Math.max(0, ...times), complaints };
}
