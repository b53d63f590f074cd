import { fromBase64, toBase64, encodeWav, toMono } from './wav.js';

describe('a WAV', () => {
  const view = new DataView(encodeWav(Float32Array.of(0, 0.5, -1, 1, 7, -7), 16_000).buffer);
  const word = (at: number) => String.fromCharCode(...new Uint8Array(view.buffer, at, 4));
  const [short, long] = [(at: number) => view.getUint16(at, true), (at: number) => view.getUint32(at, true)];

  it('has a header that describes its samples', () => {
    expect([word(0), word(8), word(12), word(36)]).toEqual(['RIFF', 'WAVE', 'fmt ', 'data']);
    expect([long(4), long(16), long(40)]).toEqual([48, 16, 12]);
    expect({ format: short(20), channels: short(22), rate: long(24), perSecond: long(28), perFrame: short(32), bits: short(34) }).toEqual({
      format: 1,
      channels: 1,
      rate: 16_000,
      perSecond: 32_000,
      perFrame: 2,
      bits: 16,
    });
  });

  it('clips samples that are too loud', () => {
    expect([0, 1, 2, 3, 4, 5].map((i) => view.getInt16(44 + i * 2, true))).toEqual([0, 16_384, -32_767, 32_767, 32_767, -32_767]);
  });
});

it('several channels are mixed to one', () => {
  expect([...toMono([Float32Array.of(1, 0), Float32Array.of(0, -1)])]).toEqual([0.5, -0.5]);
  expect([...toMono([Float32Array.of(0.25)])]).toEqual([0.25]);
  expect([...toMono([])]).toEqual([]);
});

it('base64 is encoded and decoded without loss at any length', () => {
  const bytes = Uint8Array.from({ length: 100_001 }, (_, i) => i * 7);
  expect(toBase64(Uint8Array.of(0, 255, 16))).toBe('AP8Q');
  expect(fromBase64(toBase64(bytes))).toEqual(bytes);
});
