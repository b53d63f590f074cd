import { Inject, Injectable } from '@nestjs/common';
import { AI_INPUT_LIMIT, invalidField } from '@classroom/contracts';
import { CONFIG, isPictureType, logger, pictureTypeOf, withoutMetadata } from '@classroom/platform';
import { inputOptions, type AllowedInput } from '@classroom/sandbox';
import type { AiConfig } from '../config.js';
import { SandboxedProgram, ProgramNotInstalledError, type RunSpec } from './sandboxed-program.js';
import { isPcm16Wav, readWav, SPEECH_RATE, writeWav } from './wav.js';

const list = (names: string) => names.trim().split(/\s+/);

/** Accepted recordings: containers that can't refer to other files or addresses, and the decoders in common use. */
const AUDIO_INPUT: AllowedInput = {
  formats: list('wav mp3 mov mp4 m4a aac ogg matroska webm'),
  decoders: list(`
    mp3float mp3 aac opus libopus vorbis libvorbis flac alac pcm_alaw pcm_mulaw pcm_u8 pcm_s16le pcm_s24le pcm_s32le
    pcm_f32le pcm_f64le adpcm_ms adpcm_ima_wav
  `),
};

/** Accepted pictures. Uses the demuxers of single images, because `image2` would interpret file names as patterns. */
const IMAGE_INPUT: AllowedInput = {
  formats: list(`
    bmp_pipe tiff_pipe gif ico j2k_pipe jpeg_pipe jpegxl_pipe pam_pipe pbm_pipe pgm_pipe png_pipe ppm_pipe psd_pipe
    qoi_pipe webp_pipe mov mp4
  `),
  decoders: list('bmp tiff gif png mjpeg jpeg2000 libopenjpeg libjxl pam pbm pgm ppm psd qoi webp libdav1d libaom-av1'),
};

const MAX_SECONDS = 600;
const TOO_LONG = `must be at most ${MAX_SECONDS / 60} minutes long`;
const AUDIO_FORMATS = 'WAV, MP3, M4A or AAC, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis)';
const IMAGE_FORMATS = 'PNG, JPEG, WebP, GIF, BMP, TIFF, AVIF, JPEG XL, JPEG 2000 or another picture made of pixels';
const UNDECODABLE_AUDIO = `has no sound that can be decoded: it must be ${AUDIO_FORMATS}`;
const UNDECODABLE_IMAGE = `can’t be decoded: it must be ${IMAGE_FORMATS}`;

const SAMPLE_BYTES = 2;
/** Maximum side of a picture in pixels: MAX_SIDE as it arrives, if it is square, and MAX_MODEL_SIDE as a model receives it. */
const MAX_SIDE = 6_000;
const MAX_MODEL_SIDE = 2_048;
/**
 * `memory` is address space in bytes: the libraries alone take about 300 MB, and a picture of 36 million pixels with 16 bits per channel
 * and transparency takes 288 MB.
 */
const LIMITS = { memory: 2 * 1024 ** 3, processorSeconds: 60, fileSize: 0 };
const TIMEOUT_MS = 90_000;
const QUIET = ['-nostdin', '-hide_banner', '-v', 'error'];

const SPEECH_OUTPUT = ['-vn', '-sn', '-dn', '-ac', '1', '-ar', String(SPEECH_RATE), '-f', 's16le', 'pipe:1'];
/** Tracks that are tried if the one that ffmpeg chooses can't be decoded. */
const MAX_TRACKS = 16;

/** @param track number of the audio track; undefined: the default one, else that with the most channels, as ffmpeg chooses */
const audioOf = (track?: number): RunSpec => ({
  argsFor: (file) => [
    ...QUIET,
    '-t',
    String(MAX_SECONDS + 1),
    ...inputOptions(AUDIO_INPUT, file, MAX_SIDE),
    ...(track === undefined ? [] : ['-map', `0:a:${track}`]),
    ...SPEECH_OUTPUT,
  ],
  limits: LIMITS,
  timeoutMs: TIMEOUT_MS,
  maxBytes: (MAX_SECONDS + 2) * SPEECH_RATE * SAMPLE_BYTES,
});

const TRACKS_OUTPUT = ['-map', '0:a', '-c', 'copy', '-t', '0', '-f', 'framecrc', 'pipe:1'];

/** Describes each audio track in some lines, and decodes none. */
const TRACKS: RunSpec = {
  argsFor: (file) => [...QUIET, ...inputOptions(AUDIO_INPUT, file, MAX_SIDE), ...TRACKS_OUTPUT],
  limits: LIMITS,
  timeoutMs: TIMEOUT_MS,
  maxBytes: 1024 ** 2,
};

/**
 * Makes transparent areas white, because JPEG has no transparency and drawings on transparency are mostly dark. Premultiplying fills them
 * with black, so it is done on the negative, where black is white.
 */
const WHITE_BACKGROUND = [
  `scale=w='min(${MAX_MODEL_SIDE},iw)':h='min(${MAX_MODEL_SIDE},ih)':force_original_aspect_ratio=decrease`,
  'format=gbrap,negate,premultiply=inplace=1,negate,format=yuvj444p',
].join(',');

const JPEG_OUTPUT = [
  '-map',
  '0:v:0',
  '-frames:v',
  '1',
  '-vf',
  WHITE_BACKGROUND,
  '-c:v',
  'mjpeg',
  '-q:v',
  '3',
  '-f',
  'image2pipe',
  'pipe:1',
];

const IMAGE: RunSpec = {
  argsFor: (file) => [...QUIET, ...inputOptions(IMAGE_INPUT, file, MAX_SIDE), ...JPEG_OUTPUT],
  limits: LIMITS,
  timeoutMs: TIMEOUT_MS,
  maxBytes: AI_INPUT_LIMIT,
};

export interface DecodedImage {
  bytes: Buffer;
  mimeType: string;
}

/** Converts sound and pictures into formats that models accept. Each error names the field and what it must be. */
@Injectable()
export class Decoder {
  private readonly ffmpeg: SandboxedProgram;

  constructor(@Inject(CONFIG) config: AiConfig) {
    this.ffmpeg = new SandboxedProgram(config.FFMPEG_PATH, config.PATH);
  }

  /**
   * Returns a WAV (RIFF, PCM 16): the input unchanged if it is one, otherwise mono with 16,000 samples per second.
   * @throws AppError VALIDATION_FAILED that names `audio`, AI_UNAVAILABLE, the signal's reason
   */
  async decodeAudio(bytes: Buffer, signal: AbortSignal): Promise<Buffer> {
    if (isPcm16Wav(bytes)) {
      if (readWav(bytes).durationSeconds > MAX_SECONDS) throw invalidField('audio', TOO_LONG);
      return bytes;
    }
    const samples = await this.decodeTrack(bytes, signal);
    if (!samples) throw invalidField('audio', UNDECODABLE_AUDIO);
    if (samples.length > MAX_SECONDS * SPEECH_RATE * SAMPLE_BYTES) throw invalidField('audio', TOO_LONG);
    return writeWav({ samples, sampleRate: SPEECH_RATE });
  }

  /** Returns the track that a player would play or, if that can't be decoded, the first that can. */
  private async decodeTrack(bytes: Buffer, signal: AbortSignal): Promise<Buffer | undefined> {
    const run = (spec: RunSpec) => this.decode('audio', bytes, spec, 'a WAV (RIFF, PCM 16)', signal);
    const isSound = (samples: Buffer | undefined) => samples !== undefined && samples.length >= SAMPLE_BYTES;
    const chosen = await run(audioOf());
    if (isSound(chosen)) return chosen;
    const tracks = (await run(TRACKS))?.toString().match(/^#media_type /gm) ?? [];
    for (const track of tracks.slice(0, MAX_TRACKS).keys()) {
      const samples = await run(audioOf(track));
      if (isSound(samples)) return samples;
    }
    return undefined;
  }

  /**
   * Returns PNG, JPEG, WebP and GIF without their metadata, and any other picture, also a damaged one, as a JPEG of at most 2,048 pixels per side.
   * @param claimed the MIME type that the caller states
   * @throws AppError VALIDATION_FAILED that names `image`, AI_UNAVAILABLE, the signal's reason
   */
  async decodeImage(bytes: Buffer, claimed: string, signal: AbortSignal): Promise<DecodedImage> {
    const mimeType = pictureTypeOf(bytes);
    if (isPictureType(claimed) && mimeType !== claimed) throw invalidField('image', `is not what imageMimeType says (${claimed})`);
    const picture = withoutMetadata(bytes);
    if (mimeType && picture) return { bytes: picture, mimeType };
    const jpeg = await this.decode('image', bytes, IMAGE, 'PNG, JPEG, WebP or GIF', signal);
    if (!jpeg || jpeg.length === 0) throw invalidField('image', UNDECODABLE_IMAGE);
    return { bytes: jpeg, mimeType: 'image/jpeg' };
  }

  /**
   * Returns undefined if the input can't be decoded.
   * @param otherwise names the formats that need no decoding
   */
  private async decode(field: string, bytes: Buffer, spec: RunSpec, accepted: string, signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      const { code, stderrTail, output, isBeyondLimits } = await this.ffmpeg.run(bytes, spec, signal);
      if (code === 0) return output;
      logger.info({ field, code, isBeyondLimits, stderrTail }, 'input could not be decoded');
      if (isBeyondLimits) throw invalidField(field, 'decoding timed out');
      return undefined;
    } catch (error) {
      if (!(error instanceof ProgramNotInstalledError)) throw error;
      throw invalidField(field, `must be ${accepted} here: ffmpeg, which decodes anything else, is not installed`, error);
    }
  }
}
