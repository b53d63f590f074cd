import { Inject, Injectable } from '@nestjs/common';
import { AI_INPUT_LIMIT, invalidField } from '@classroom/contracts';
import { CONFIG, logger } from '@classroom/platform';
import { inputOptions } from '@classroom/sandbox';
import type { AiConfig } from '../config.js';
import { isPcm16Wav, readWav, SPEECH_RATE, writeWav } from '../sound/wav.js';
import { AUDIO_INPUT, IMAGE_INPUT } from './allowed-inputs.js';
import { ConfinedReader, MissingProgram, type Reading } from './confined-reader.js';
import { imageTypeOf, isImageType } from './image-type.js';

const MOST_SECONDS = 600;
const TOO_LONG = `must be at most ${MOST_SECONDS / 60} minutes long`;
const SOUNDS = 'WAV, MP3, M4A or AAC, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis)';
const PICTURES = 'PNG, JPEG, WebP, GIF, BMP, TIFF, AVIF, JPEG XL, JPEG 2000 or another picture made of pixels';
const NO_SOUND = `has no sound that can be decoded: it must be ${SOUNDS}`;
const NO_PICTURE = `can’t be decoded: it must be ${PICTURES}`;

const SAMPLE_BYTES = 2;
/** Maximum side of a picture in pixels: SIDE as it arrives, if it is square, and SHOWN_SIDE as a model receives it. */
const SIDE = 6_000;
const SHOWN_SIDE = 2_048;
/**
 * `memory` is address space in bytes: the libraries alone take about 300 MB, and a picture of 36 million pixels with 16 bits per channel
 * and transparency takes 288 MB.
 */
const LIMITS = { memory: 2 * 1024 ** 3, processorSeconds: 60, fileSize: 0 };
const TIMEOUT_MS = 90_000;
const QUIET = ['-nostdin', '-hide_banner', '-v', 'error'];

const AS_SPEECH = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-ac', '1', '-ar', String(SPEECH_RATE), '-f', 's16le', 'pipe:1'];

const AUDIO: Reading = {
  argsFor: (file) => [...QUIET, '-t', String(MOST_SECONDS + 1), ...inputOptions(AUDIO_INPUT, file, SIDE), ...AS_SPEECH],
  limits: LIMITS,
  timeoutMs: TIMEOUT_MS,
  mostBytes: (MOST_SECONDS + 2) * SPEECH_RATE * SAMPLE_BYTES,
};

/**
 * Makes transparent areas white, because JPEG has no transparency and drawings on transparency are mostly dark. Premultiplying fills them
 * with black, so it is done on the negative, where black is white.
 */
const ON_WHITE = [
  `scale=w='min(${SHOWN_SIDE},iw)':h='min(${SHOWN_SIDE},ih)':force_original_aspect_ratio=decrease`,
  'format=gbrap,negate,premultiply=inplace=1,negate,format=yuvj444p',
].join(',');

const AS_JPEG = ['-map', '0:v:0', '-frames:v', '1', '-vf', ON_WHITE, '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2pipe', 'pipe:1'];

const IMAGE: Reading = {
  argsFor: (file) => [...QUIET, ...inputOptions(IMAGE_INPUT, file, SIDE), ...AS_JPEG],
  limits: LIMITS,
  timeoutMs: TIMEOUT_MS,
  mostBytes: AI_INPUT_LIMIT,
};

export interface Picture {
  bytes: Buffer;
  mimeType: string;
}

/** Converts sound and pictures into formats that models accept. Each error names the field and what it must be. */
@Injectable()
export class Decoder {
  private readonly ffmpeg: ConfinedReader;

  constructor(@Inject(CONFIG) config: AiConfig) {
    this.ffmpeg = new ConfinedReader(config.FFMPEG_PATH, config.PATH);
  }

  /**
   * Returns a WAV (RIFF, PCM 16): the input unchanged if it is one, otherwise mono with 16,000 samples per second.
   * @throws AppError VALIDATION_FAILED that names `audio`, AI_UNAVAILABLE, the signal's reason
   */
  async sound(bytes: Buffer, signal: AbortSignal): Promise<Buffer> {
    if (isPcm16Wav(bytes)) {
      if (readWav(bytes).durationSeconds > MOST_SECONDS) throw invalidField('audio', TOO_LONG);
      return bytes;
    }
    const samples = await this.decode('audio', bytes, AUDIO, 'a WAV (RIFF, PCM 16)', signal);
    if (!samples || samples.length < SAMPLE_BYTES) throw invalidField('audio', NO_SOUND);
    if (samples.length > MOST_SECONDS * SPEECH_RATE * SAMPLE_BYTES) throw invalidField('audio', TOO_LONG);
    return writeWav({ samples, sampleRate: SPEECH_RATE });
  }

  /**
   * Returns PNG, JPEG, WebP and GIF unchanged, and any other picture as a JPEG of at most 2,048 pixels per side.
   * @param claimed the MIME type that the caller states
   * @throws AppError VALIDATION_FAILED that names `image`, AI_UNAVAILABLE, the signal's reason
   */
  async picture(bytes: Buffer, claimed: string, signal: AbortSignal): Promise<Picture> {
    const mimeType = imageTypeOf(bytes);
    if (isImageType(claimed) && mimeType !== claimed) throw invalidField('image', `is not what imageMimeType says (${claimed})`);
    if (mimeType) return { bytes, mimeType };
    const jpeg = await this.decode('image', bytes, IMAGE, 'PNG, JPEG, WebP or GIF', signal);
    if (!jpeg || jpeg.length === 0) throw invalidField('image', NO_PICTURE);
    return { bytes: jpeg, mimeType: 'image/jpeg' };
  }

  /**
   * Returns undefined if the input can't be decoded.
   * @param otherwise names the formats that need no decoding
   */
  private async decode(
    field: string,
    bytes: Buffer,
    reading: Reading,
    otherwise: string,
    signal: AbortSignal,
  ): Promise<Buffer | undefined> {
    try {
      const { code, complaint, output, isBeyondLimits } = await this.ffmpeg.read(bytes, reading, signal);
      if (code === 0) return output;
      logger.info({ field, code, isBeyondLimits, complaint }, 'input could not be decoded');
      if (isBeyondLimits) throw invalidField(field, 'decoding timed out');
      return undefined;
    } catch (error) {
      if (!(error instanceof MissingProgram)) throw error;
      throw invalidField(field, `must be ${otherwise} here: ffmpeg, which decodes anything else, is not installed`, error);
    }
  }
}
