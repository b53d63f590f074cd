import fs from 'node:fs';
import path from 'node:path';
import { ask } from '../run.ts';
import { StackError } from '../errors.ts';
import { compare, parse } from '../version.ts';

const MIN = '5.0';

/**
 * FFMPEG_PATH, or the first ffmpeg on the PATH; FFPROBE_PATH, or the ffprobe next to that ffmpeg.
 * @returns undefined if there is none
 * @throws {StackError} if it is too old or does not run
 */
export async function findFfmpeg(env: NodeJS.ProcessEnv = process.env): Promise<{ ffmpeg: string; ffprobe: string } | undefined> {
  const folders = (env.PATH ?? '').split(path.delimiter);
  const ffmpeg = env.FFMPEG_PATH || folders.map((folder) => path.join(folder, 'ffmpeg')).find((file) => fs.existsSync(file));
  if (!ffmpeg) return undefined;
  const ffprobe = env.FFPROBE_PATH || path.join(path.dirname(ffmpeg), 'ffprobe');
  for (const file of [ffmpeg, ffprobe]) {
    const version = versionIn((await ask(file, ['-version'], { env })) ?? '');
    const next = `install ffmpeg ${MIN} or newer, or set FFMPEG_PATH and FFPROBE_PATH to one`;
    if (!version) throw new StackError(`${file} does not run: ${next}.`);
    if (compare(version, MIN) < 0) throw new StackError(`${file} has version ${version}: ${next}.`);
  }
  return { ffmpeg, ffprobe };
}

/** @param text output of `-version`: its first line has the program's version, the next lines have its compiler's */
export function versionIn(text: string) {
  return parse(/ version n?(\d\S*)/.exec(text.split('\n')[0] ?? '')?.[1] ?? '')?.join('.');
}
