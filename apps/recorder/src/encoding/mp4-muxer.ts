import { rename, rm } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, inSpan } from '@classroom/platform';
import type { CaptureFolder } from '../state/capture-folder.js';
import type { RecordingFile } from '../state/progress.js';
import type { RecorderConfig } from '../config.js';
import { readProbe } from './probe.js';
import { runProgram } from './run-program.js';

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
  constructor(@Inject(CONFIG) private readonly config: RecorderConfig) {}

  /** @throws if nothing of the film can be used */
  mux(folder: CaptureFolder): Promise<RecordingFile> {
    return inSpan('cut film', {}, async () => {
      const { FFMPEG_PATH, FFPROBE_PATH } = this.config;
      const partial = `${folder.filePath}.part`;
      await rm(partial, { force: true });
      const { audioOnly } = folder.job;
      const output = audioOnly ? SOUND_OUTPUT : FILM_OUTPUT;
      await runProgram(FFMPEG_PATH, ['-nostdin', '-v', 'error', '-y', ...CAPTURE_INPUT, '-i', folder.mediaPath, ...output, partial]);
      const probe = await runProgram(FFPROBE_PATH, ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', partial]);
      const file = readProbe(probe, audioOnly);
      await rename(partial, folder.filePath);
      return file;
    });
  }
}
