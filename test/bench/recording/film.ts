import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { followNumbers, readNumber } from './barcode.ts';

const exec = promisify(execFile);
const FFMPEG = process.env.FFMPEG_PATH ?? 'ffmpeg';
const FFPROBE = path.join(path.dirname(FFMPEG), 'ffprobe');
const AUDIO_RATE = 16_000;
/** Audio samples per block: 1 ms. */
const BLOCK = 16;
const LOUD = 1_500;
/** Seconds of silence after which a flash or a beep counts as a new one. */
const MIN_GAP_S = 0.3;
/** In seconds. Two marks that are further apart belong to different seconds. */
const SAME_SECOND = 0.4;
/** Size in which the tile is analyzed, in pixels. */
const SMALL = { width: 336, height: 36 };
/** The flash fills the upper three tenths. */
const FLASH_ROWS = [0.08, 0.22];
/** Halfway between gray and the blue of the first participant. */
const BLUE_ABOVE = 170;
/** Seconds at the beginning that don't count: the speaker is moved to the stage, and buffers fill. */
const SETTLING = 2;

async function decode(args: string[]): Promise<Buffer> {
  const { stdout, stderr } = await exec(FFMPEG, ['-nostdin', '-v', 'error', ...args], { encoding: 'buffer', maxBuffer: 2 ** 30 });
  if (stderr.length > 0) throw new Error(`the film can't be decoded: ${stderr}`);
  return stdout;
}

/** Finds the tile of the first participant by its color. */
async function findTile(file: string, { width, height }: { width: number; height: number }) {
  const [half, rows] = [width / 2, height / 2];
  const blue = (
    await decode(['-ss', String(SETTLING), '-i', file, '-frames:v', '1', '-an', '-vf', 'extractplanes=u', '-f', 'rawvideo', '-'])
  ).subarray(0, half * rows);
  const columnsOf = Array.from({ length: half }, (_, x) => x).filter(
    (x) => count(rows, (y) => blue[y * half + x] > BLUE_ABOVE) > rows / 12,
  );
  const rowsOf = Array.from({ length: rows }, (_, y) => y).filter((y) => count(half, (x) => blue[y * half + x] > BLUE_ABOVE) > half / 12);
  const [left, right, top, bottom] = [columnsOf[0], columnsOf.at(-1), rowsOf[0], rowsOf.at(-1)];
  if (left === undefined || right === undefined || top === undefined || bottom === undefined)
    throw new Error('the first one is not in the film');
  return { x: left * 2, y: top * 2, width: (right - left + 1) * 2, height: (bottom - top + 1) * 2 };
}

const count = (length: number, test: (index: number) => boolean) => Array.from({ length }, (_, i) => i).filter(test).length;

/** Times at which something appeared after a pause. */
function beginnings(moments: { at: number; isOn: boolean }[]) {
  const found: number[] = [];
  let lastOn = -Infinity;
  for (const { at, isOn } of moments) {
    if (!isOn) continue;
    if (at - lastOn > MIN_GAP_S) found.push(at);
    lastOn = at;
  }
  return found;
}

/** The fields of ffprobe's output that are read here. */
interface Probe {
  streams: { codec_type: string; width?: number; height?: number }[];
  format: { duration: string };
}

export async function readFilm(file: string) {
  const probe = JSON.parse((await exec(FFPROBE, ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', file])).stdout) as Probe;
  const { width = 0, height = 0 } = probe.streams.find((stream) => stream.codec_type === 'video') ?? {};
  const tile = await findTile(file, { width, height });
  const times = (
    await exec(FFPROBE, ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', file], {
      maxBuffer: 2 ** 26,
    })
  ).stdout
    .split('\n')
    .filter(Boolean)
    .map(Number.parseFloat)
    .sort((a, b) => a - b);
  const crop = `crop=${tile.width}:${tile.height}:${tile.x}:${tile.y},scale=${SMALL.width}:${SMALL.height}:flags=area,format=gray`;
  const pixels = await decode(['-i', file, '-an', '-vf', crop, '-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'rawvideo', '-']);
  const size = SMALL.width * SMALL.height;
  const frames = times.slice(0, Math.floor(pixels.length / size)).map((at, i) => ({ at, luma: pixels.subarray(i * size, (i + 1) * size) }));
  const [from, to] = FLASH_ROWS.map((part) => Math.floor(part * SMALL.height) * SMALL.width);
  const light = frames.map(({ at, luma }) => ({ at, level: luma.subarray(from, to).reduce((sum, value) => sum + value, 0) / (to - from) }));
  const flashes = beginnings(light.map(({ at, level }) => ({ at, isOn: level > 138 })));
  const beeps = await readBeeps(file);
  const counted = frames.filter(({ at }) => at >= SETTLING);
  const seconds = Number(probe.format.duration);
  // A picture that is frozen until the end of the film also counts as a gap.
  const moments = [SETTLING, ...counted.map(({ at }) => at), seconds];
  return {
    seconds,
    fps: counted.length / (seconds - SETTLING),
    longestGap: Math.max(...moments.slice(1).map((at, i) => at - moments[i])) * 1000,
    ...followNumbers(counted.map(({ luma }) => readNumber(luma, SMALL.width, SMALL.height))),
    ...offsets(
      flashes.filter((at) => at >= SETTLING),
      beeps,
    ),
  };
}

async function readBeeps(file: string) {
  const sound = await decode(['-i', file, '-vn', '-ac', '1', '-ar', String(AUDIO_RATE), '-f', 's16le', '-']);
  const samples = new Int16Array(sound.buffer, sound.byteOffset, sound.length >> 1);
  return beginnings(
    Array.from({ length: Math.floor(samples.length / BLOCK) }, (_, i) => ({
      at: (i * BLOCK) / AUDIO_RATE,
      isOn: samples.subarray(i * BLOCK, (i + 1) * BLOCK).some((sample) => Math.abs(sample) > LOUD),
    })),
  );
}

/** Milliseconds by which the picture is behind the sound. */
function offsets(flashes: number[], beeps: number[]) {
  const all = flashes.flatMap((flash) =>
    beeps
      .filter((beep) => Math.abs(beep - flash) < SAME_SECOND)
      .slice(0, 1)
      .map((beep) => (flash - beep) * 1000),
  );
  const sum = all.reduce((total, value) => total + value, 0);
  const worst = all.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return { flashes: flashes.length, paired: all.length, meanOffset: sum / all.length, worstOffset: worst };
}
