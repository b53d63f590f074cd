import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { MergeJob } from '@classroom/contracts';
import { inSpan } from '@classroom/platform';
import { z } from 'zod';
import type { CaptureFolder } from '../state/capture-folder.js';
import type { RecordingFile } from '../state/progress.js';
import { MediaPrograms } from './media-programs.js';

const probed = z.object({
  streams: z.array(z.object({ codec_type: z.string().optional(), codec_name: z.string().optional() })),
  format: z.object({ duration: z.coerce.number().positive(), size: z.coerce.number().int().positive() }),
});

/** What a file must have. */
const FILM_CODEC = { type: 'video', codec: 'h264' };
const SOUND_CODEC = { type: 'audio', codec: 'aac' };

/** @param text ffprobe's JSON output @throws if the file has no H.264 (`audioOnly`: no AAC), or no positive duration */
export function readProbe(text: string, audioOnly = false): RecordingFile {
  const { type, codec } = audioOnly ? SOUND_CODEC : FILM_CODEC;
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
async function makeFile(
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

/** Milliseconds for the download of one part. */
const DOWNLOAD_TIMEOUT_MS = 15 * 60_000;

/** Picture and sound are copied. The list names files of its own folder only. */
const INPUT = '-protocol_whitelist file -f concat -safe 1'.split(' ');
const OUTPUT = '-map 0 -c copy -movflags +faststart -f mp4'.split(' ');

/** Makes one file of several that recorders made with the same options. */
@Injectable()
export class FileMerger {
  constructor(private readonly programs: MediaPrograms) {}

  /** @throws if a part is unreachable, or the parts do not fit together */
  merge(folder: CaptureFolder, parts: MergeJob['parts']): Promise<RecordingFile> {
    return inSpan('merge files', { attributes: { 'recording.parts': parts.length } }, async () => {
      const list = join(folder.path, 'parts.txt');
      const names = parts.map((_, index) => `part-${index + 1}.mp4`);
      try {
        for (const [index, part] of parts.entries()) await download(part, join(folder.path, names[index] ?? ''));
        await writeFile(list, names.map((name) => `file '${name}'\n`).join(''), { mode: 0o600 });
        return await makeFile(this.programs, folder, [...INPUT, '-i', list, ...OUTPUT]);
      } finally {
        await Promise.all([list, ...names.map((name) => join(folder.path, name))].map((file) => rm(file, { force: true })));
      }
    });
  }
}

async function download(url: string, path: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS), redirect: 'error' });
  if (!response.ok || !response.body) throw new Error(`the storage answered ${response.status} for a part`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path, { mode: 0o600 }));
}

/**
 * The picture is copied. The sound becomes AAC; gaps in it are filled, otherwise the sound after a gap would come too early. The index
 * goes to the front, so that a browser can start playing before it has the whole file.
 */
const SOUND = '-c:a aac -b:a 128k -af aresample=async=1 -movflags +faststart -f mp4'.split(' ');
const FILM_OUTPUT = ['-map', '0:v:0', '-map', '0:a:0?', '-c:v', 'copy', ...SOUND];
const SOUND_OUTPUT = ['-map', '0:a:0', ...SOUND];

/** The page determines the film's bytes: ffmpeg reads them only as Chromium's format, and they can make it open nothing but files. */
const CAPTURE_INPUT = ['-f', 'matroska', '-protocol_whitelist', 'file'];

/** Makes a film from the browser, whether it was cut or not, into a file that plays everywhere. */
@Injectable()
export class Mp4Muxer {
  constructor(private readonly programs: MediaPrograms) {}

  /** @throws if nothing of the film can be used */
  mux(folder: CaptureFolder): Promise<RecordingFile> {
    const output = folder.job.audioOnly ? SOUND_OUTPUT : FILM_OUTPUT;
    return inSpan('cut film', {}, () => makeFile(this.programs, folder, [...CAPTURE_INPUT, '-i', folder.mediaPath, ...output]));
  }
}
