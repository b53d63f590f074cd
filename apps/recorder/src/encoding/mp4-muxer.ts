import { Injectable } from '@nestjs/common';
import { inSpan } from '@classroom/platform';
import type { CaptureFolder } from '../state/capture-folder.js';
import type { RecordingFile } from '../state/progress.js';
import { makeFile } from './make-file.js';
import { MediaPrograms } from './media-programs.js';

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
