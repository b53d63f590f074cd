import { invalidField } from '@classroom/contracts';
import type { PcmAudio } from '../models/ai-provider.js';

export interface TimedAudio extends PcmAudio {
  durationSeconds: number;
}

const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const PCM = 1;
/** For this value, the actual format is in the header's extension: its GUID begins with the format. */
const EXTENSIBLE = 0xfffe;
/** Samples per second that speech is decoded to; recognizers are trained on this rate. */
export const SPEECH_RATE = 16_000;
const SAMPLE_RATES = { from: 8_000, to: 96_000 };

/** Whether the header declares a WAV that `readWav` can read, so that no decoder is needed. */
export function isPcm16Wav(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 12 || tag(file, 0) !== 'RIFF' || tag(file, 8) !== 'WAVE') return false;
  for (let at = 12; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    if (tag(file, at) === 'fmt ') {
      try {
        readFormat(file.subarray(at + 8, at + 8 + size), (message) => new Error(message));
        return true;
      } catch {
        return false;
      }
    }
    at += 8 + size + (size % 2);
  }
  return false;
}

/**
 * Reads a caller's recording as mono.
 * @throws AppError VALIDATION_FAILED that names `audio` and the problem
 */
export const readWav = (bytes: Uint8Array): TimedAudio => read(bytes, (message) => invalidField('audio', message), false);

/**
 * Reads a synthesizer's output. It is written while it is produced, so its header may declare sizes of an endless sound.
 * @throws Error if it is not a WAV
 */
export const readSynthesizedWav = (bytes: Uint8Array): TimedAudio => read(bytes, (message) => new Error(`the sound ${message}`), true);

function read(bytes: Uint8Array, toError: (message: string) => Error, isOpenEnded: boolean): TimedAudio {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 12 || tag(file, 0) !== 'RIFF' || tag(file, 8) !== 'WAVE') throw toError('must be a WAV file (RIFF, PCM 16)');
  if (!isOpenEnded && file.readUInt32LE(4) + 8 > file.length) throw toError('is cut off: its header tells of more than there is');
  let format: Format | undefined;
  let data: Buffer | undefined;
  for (let at = 12; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    const body = file.subarray(at + 8, at + 8 + size);
    const name = tag(file, at);
    if (body.length < size && !(isOpenEnded && name === 'data')) throw toError('is cut off: a part of it is missing');
    if (name === 'fmt ') format ??= readFormat(body, toError);
    if (name === 'data') data ??= body;
    // Chunks begin at even offsets.
    at += 8 + size + (size % 2);
  }
  if (!format) throw toError('has no format (a chunk "fmt ") in it');
  if (!data || data.length === 0) throw toError('has no sound in it');
  const frameBytes = format.channels * SAMPLE_BYTES;
  if (isOpenEnded) data = data.subarray(0, data.length - (data.length % frameBytes));
  if (data.length % frameBytes !== 0) throw toError('ends in the middle of a sample');
  const samples = format.channels === 1 ? data : toMono(data);
  return { samples, sampleRate: format.sampleRate, durationSeconds: durationOf({ samples, sampleRate: format.sampleRate }) };
}

interface Format {
  channels: number;
  sampleRate: number;
}

function readFormat(chunk: Buffer, toError: (message: string) => Error): Format {
  if (chunk.length < 16) throw toError('has a format that can’t be read');
  const declared = chunk.readUInt16LE(0);
  const encoding = declared === EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : declared;
  const channels = chunk.readUInt16LE(2);
  const sampleRate = chunk.readUInt32LE(4);
  if (encoding !== PCM || chunk.readUInt16LE(14) !== 16) throw toError('must be PCM with 16 bits a sample');
  if (channels !== 1 && channels !== 2) throw toError('must have one or two channels');
  if (chunk.readUInt16LE(12) !== channels * SAMPLE_BYTES) throw toError('has a format that contradicts itself');
  if (sampleRate < SAMPLE_RATES.from || sampleRate > SAMPLE_RATES.to) {
    throw toError(`must have between ${SAMPLE_RATES.from} and ${SAMPLE_RATES.to} samples a second`);
  }
  return { channels, sampleRate };
}

const tag = (file: Buffer, at: number) => file.toString('latin1', at, at + 4);

function toMono(stereo: Buffer): Buffer {
  const mono = Buffer.alloc(stereo.length / 2);
  for (let at = 0; at < mono.length; at += SAMPLE_BYTES) {
    mono.writeInt16LE((stereo.readInt16LE(at * 2) + stereo.readInt16LE(at * 2 + SAMPLE_BYTES)) >> 1, at);
  }
  return mono;
}

/** Seconds. */
export const durationOf = ({ samples, sampleRate }: PcmAudio) => samples.length / SAMPLE_BYTES / sampleRate;

export function writeWav({ samples, sampleRate }: PcmAudio): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * SAMPLE_BYTES, 28);
  header.writeUInt16LE(SAMPLE_BYTES, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** Joins the sounds one after the other, at the rate of the first one. */
export function concatAudio(parts: readonly PcmAudio[]): PcmAudio {
  const sampleRate = parts[0]?.sampleRate ?? 22_050;
  return { samples: Buffer.concat(parts.map((audio) => resample(audio, sampleRate))), sampleRate };
}

/** Resamples linearly, which is good enough for speech whose sentences come from different voices. */
export function resample({ samples, sampleRate }: PcmAudio, wanted: number): Buffer {
  if (sampleRate === wanted) return samples;
  const last = samples.length / SAMPLE_BYTES - 1;
  const count = Math.round(((last + 1) * wanted) / sampleRate);
  const resampled = Buffer.alloc(count * SAMPLE_BYTES);
  for (let index = 0; index < count; index++) {
    const position = Math.min((index * sampleRate) / wanted, last);
    const before = samples.readInt16LE(Math.floor(position) * SAMPLE_BYTES);
    const after = samples.readInt16LE(Math.ceil(position) * SAMPLE_BYTES);
    resampled.writeInt16LE(Math.round(before + (after - before) * (position % 1)), index * SAMPLE_BYTES);
  }
  return resampled;
}
