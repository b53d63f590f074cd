const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
const MAX_SAMPLE = 0x7fff;

/** Encodes samples between -1 and 1 as a WAV with one channel (RIFF, PCM 16). */
export function encodeWav(samples: Float32Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(HEADER_BYTES + samples.length * BYTES_PER_SAMPLE));
  const word = (at: number, text: string) => [...text].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  word(0, 'RIFF');
  view.setUint32(4, view.byteLength - 8, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * BYTES_PER_SAMPLE, true);
  view.setUint16(32, BYTES_PER_SAMPLE, true);
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
  word(36, 'data');
  view.setUint32(40, samples.length * BYTES_PER_SAMPLE, true);
  samples.forEach((sample, i) =>
    view.setInt16(HEADER_BYTES + i * BYTES_PER_SAMPLE, Math.round(Math.max(-1, Math.min(1, sample)) * MAX_SAMPLE), true),
  );
  return new Uint8Array(view.buffer);
}

/** Mixes all channels into one. */
export function toMono(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(0)] = channels;
  if (channels.length < 2) return first;
  return first.map((_, i) => channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0) / channels.length);
}

/** A number of arguments that every browser supports in one call. */
const CHUNK_SIZE = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  // oxlint-disable-next-line lists/no-list-arguments -- of at most CHUNK_SIZE bytes
  for (let at = 0; at < bytes.length; at += CHUNK_SIZE) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_SIZE));
  return btoa(text);
}

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
