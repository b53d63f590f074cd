import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CaptureFolder } from '../state/capture-folder.js';
import type { RecordingFile } from '../state/progress.js';
import type { MediaPrograms } from './media-programs.js';

const probed = z.object({
  streams: z.array(z.object({ codec_type: z.string().optional(), codec_name: z.string().optional() })),
  format: z.object({ duration: z.coerce.number().positive(), size: z.coerce.number().int().positive() }),
});

/** What a file must have. */
const FILM = { type: 'video', codec: 'h264' };
const SOUND = { type: 'audio', codec: 'aac' };

/** @param text ffprobe's JSON output @throws if the file has no H.264 (`audioOnly`: no AAC), or no positive duration */
export function readProbe(text: string, audioOnly = false): RecordingFile {
  const { type, codec } = audioOnly ? SOUND : FILM;
  const { streams, format } = probed.parse(JSON.parse(text));
  const stream = streams.find(({ codec_type }) => codec_type === type);
  if (stream?.codec_name !== codec) throw new Error(`the file has ${stream?.codec_name ?? 'no'} ${type}`);
  return { durationMs: Math.round(format.duration * 1000), size: format.size };
}

const GIB = 1024 ** 3;

/**
 * Makes the folder's file, which appears when it is whole.
 * @param args inputs and output options of ffmpeg
 * @throws if ffmpeg fails, or the file is not what was to be recorded
 */
export async function makeFile(
  programs: MediaPrograms,
  { filePath, job, path: folder }: CaptureFolder,
  args: readonly string[],
): Promise<RecordingFile> {
  const partial = `${filePath}.part`;
  await rm(partial, { force: true });
  const fileSize = 2 * (await sizeOf(folder)) + GIB;
  await programs.ffmpeg({ args: ['-nostdin', '-v', 'error', '-y', ...args, partial], folder, fileSize });
  const probe = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', partial];
  const file = readProbe(await programs.ffprobe({ args: probe, folder }), job.audioOnly);
  await rename(partial, filePath);
  return file;
}

/** Bytes of the files in a folder, among which are all inputs. */
async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
