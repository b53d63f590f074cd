import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ffmpegPath = process.env['FFMPEG_PATH'] ?? 'ffmpeg';
const ffprobePath = process.env['FFPROBE_PATH'] ?? 'ffprobe';

/** @param options split at spaces */
export async function ffmpeg(options: string, ...more: string[]): Promise<void> {
  await run(ffmpegPath, ['-v', 'error', '-y', ...options.split(' '), ...more]);
}

export interface Probed {
  streams: {
    codec_type: string;
    codec_name: string;
    width?: number;
    height?: number;
    pix_fmt?: string;
    r_frame_rate: string;
    channels?: number;
  }[];
  format: { duration: string };
}

export async function ffprobe(file: string): Promise<Probed> {
  const { stdout } = await run(ffprobePath, ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', file]);
  return JSON.parse(stdout) as Probed;
}

/** Decodes the whole file. @throws the errors that ffmpeg reports */
export async function decode(file: string): Promise<void> {
  const { stderr } = await run(ffmpegPath, ['-v', 'error', '-i', file, '-f', 'null', '-']);
  if (stderr.trim()) throw new Error(stderr);
}

/** Average brightness per channel (red, green, blue) of each part of a picture, left to right in `columns`, then down in `rows`. */
export async function colors(file: string, columns: number, rows: number): Promise<number[][]> {
  const args = [
    '-v',
    'error',
    '-i',
    file,
    '-frames:v',
    '1',
    '-vf',
    `scale=${columns}:${rows}:flags=area`,
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  ];
  const { stdout } = await run(ffmpegPath, args, { encoding: 'buffer' });
  return Array.from({ length: columns * rows }, (_, at) => [...stdout.subarray(at * 3, at * 3 + 3)]);
}
