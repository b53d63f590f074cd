import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AiConfig } from '../../src/config.js';
import { Decoder } from '../../src/inputs/decoder.js';

const FFMPEG = process.env['FFMPEG_PATH'] ?? 'ffmpeg';
const ESPEAK = process.env['ESPEAK_PATH'] ?? 'espeak-ng';
const SENTENCE = 'What is the capital city of France?';

export const decoder = (program = FFMPEG) => new Decoder({ FFMPEG_PATH: program, PATH: process.env['PATH'] ?? '' } as AiConfig);

/** The file of this name that ffmpeg writes with these arguments. */
export async function made(name: string, ...args: string[]): Promise<Buffer> {
  return inFolder(async (folder) => {
    const file = join(folder, name);
    await promisify(execFile)(FFMPEG, ['-nostdin', '-v', 'error', ...args, '-y', file]);
    return readFile(file);
  });
}

/** A sentence spoken by the local synthesizer, in the given encoding. */
export async function recording(name: string, ...encoding: string[]): Promise<Buffer> {
  return inFolder(async (folder) => {
    const wav = join(folder, 'spoken.wav');
    await promisify(execFile)(ESPEAK, ['-v', 'en-us', '-w', wav, SENTENCE]);
    return made(name, '-i', wav, ...encoding);
  });
}

/** A picture with a red left half and a blue right half. */
export const picture = (name: string, ...encoding: string[]) =>
  made(name, '-f', 'lavfi', '-i', 'color=red:s=32x48[l];color=blue:s=32x48[r];[l][r]hstack', '-frames:v', '1', ...encoding);

/** The colours of the left and of the right half of a picture, each as red, green, blue. */
export async function halves(bytes: Buffer): Promise<number[][]> {
  return inFolder(async (folder) => {
    const file = join(folder, 'picture');
    await writeFile(file, bytes);
    const raw = await made('two.rgb', '-i', file, '-vf', 'scale=2:1:flags=area,format=rgb24', '-f', 'rawvideo');
    return [[...raw.subarray(0, 3)], [...raw.subarray(3, 6)]];
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ai-sample-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
