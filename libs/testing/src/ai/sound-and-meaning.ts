const SAMPLE_RATE = 24_000;
const SECONDS_PER_CHARACTER = 0.02;
const DIMENSIONS = 64;
/** Size in the header of a WAV that is sent while it is produced: the real size is not known yet. */
const OPEN_SIZE = 0xffff_ffff;

/** A tone as long as the spoken text would be: PCM 16-bit, mono. */
export function speech(text: string): Buffer {
  const samples = Buffer.alloc(2 * Math.ceil(text.length * SECONDS_PER_CHARACTER * SAMPLE_RATE));
  for (let at = 0; at < samples.length; at += 2) {
    samples.writeInt16LE(Math.round(8_000 * Math.sin((Math.PI * 440 * at) / SAMPLE_RATE)), at);
  }
  const header = Buffer.alloc(44);
  header.write('RIFF    WAVEfmt ', 0, 'latin1');
  header.writeUInt32LE(OPEN_SIZE, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(OPEN_SIZE, 40);
  return Buffer.concat([header, samples]);
}

/** A vector that depends only on the words: texts with the same words have the same vector, texts that share some words similar ones. */
export function embedding(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
    vector[hash % DIMENSIONS] = (vector[hash % DIMENSIONS] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
