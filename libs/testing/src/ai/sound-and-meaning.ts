const SAMPLE_RATE = 24_000;
const SECONDS_PER_CHARACTER = 0.02;
const DIMENSIONS = 64;
/** How a WAV begins that is sent while it is made: its sizes are not known yet. */
const OPEN_SIZE = 0xffff_ffff;

/** A tone as long as the text would be spoken: PCM 16, mono. */
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

/** Texts of the same words lie at the same place, texts that share some lie near. */
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
