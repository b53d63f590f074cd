import { rename, rm } from 'node:fs/promises';
import type { RecorderConfig } from '../config.js';
import type { CaptureFolder } from '../state/capture-folder.js';
import type { RecordingFile } from '../state/progress.js';
import { readProbe } from './probe.js';
import { runProgram } from './run-program.js';

export type Programs = Pick<RecorderConfig, 'FFMPEG_PATH' | 'FFPROBE_PATH'>;

/**
 * Makes the folder's file, which appears when it is whole.
 * @param args inputs and output options of ffmpeg
 * @throws if ffmpeg fails, or the file is not what was to be recorded
 */
export async function makeFile(programs: Programs, { filePath, job }: CaptureFolder, args: readonly string[]): Promise<RecordingFile> {
  const partial = `${filePath}.part`;
  await rm(partial, { force: true });
  await runProgram(programs.FFMPEG_PATH, ['-nostdin', '-v', 'error', '-y', ...args, partial]);
  const probe = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', partial];
  const file = readProbe(await runProgram(programs.FFPROBE_PATH, probe), job.audioOnly);
  await rename(partial, filePath);
  return file;
}
