import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ffmpegPath = process.env['FFMPEG_PATH'] ?? 'ffmpeg';
const ffprobePath = join(dirname(ffmpegPath), 'ffprobe');

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
    color_transfer?: string;
    color_primaries?: string;
    color_space?: string;
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

/** What is seen and heard around one moment of a video. */
export interface Moment {
  /** The main channel of the picture's middle; undefined without a picture or between colours. */
  color: 'red' | 'green' | 'blue' | 'black' | undefined;
  /** Rounded to 50 Hz; 0 in silence. */
  hertz: number;
}

const RATE = 8_000;
const FPS = 10;

/** Decodes the video and describes these moments, given in seconds. */
export async function momentsOf(file: string, seconds: number[]): Promise<Moment[]> {
  const decoded = (options: string) =>
    run(ffmpegPath, ['-v', 'error', '-i', file, ...options.split(' '), '-'], { encoding: 'buffer', maxBuffer: 64 * 1024 ** 2 }).then(
      ({ stdout }) => stdout,
      () => Buffer.alloc(0),
    );
  const pixels = await decoded(`-vf fps=${FPS}:start_time=0,crop=iw/4:ih/4,scale=1:1:flags=area -f rawvideo -pix_fmt rgb24`);
  const samples = await decoded(`-vn -af aresample=async=1:first_pts=0 -ac 1 -ar ${RATE} -f s16le`);
  return seconds.map((at) => ({ color: colorOf([...pixels.subarray(at * FPS * 3, at * FPS * 3 + 3)]), hertz: hertzAt(samples, at) }));
}

function colorOf([red = -1, green = -1, blue = -1]: number[]): Moment['color'] {
  if (red < 0) return undefined;
  if (Math.max(red, green, blue) < 40) return 'black';
  const [main, second] = [red, green, blue].toSorted((a, b) => b - a) as [number, number];
  if (main < second + 60) return undefined;
  return main === red ? 'red' : main === green ? 'green' : 'blue';
}

/** Counts how often the sign changes within 0.2 s around the moment. */
function hertzAt(samples: Buffer, at: number): number {
  const values: number[] = [];
  for (let n = Math.round((at - 0.1) * RATE); n < Math.round((at + 0.1) * RATE) && n * 2 + 2 <= samples.length; n++) {
    values.push(samples.readInt16LE(n * 2));
  }
  if (!values.some((value) => Math.abs(value) > 500)) return 0;
  const crossings = values.filter((value, n) => n > 0 && value >= 0 !== (values[n - 1] ?? 0) >= 0).length;
  return Math.round(crossings / 0.4 / 50) * 50;
}
