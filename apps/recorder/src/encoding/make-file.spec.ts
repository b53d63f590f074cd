import { readProbe } from './make-file.js';

const probe = (codec: string, duration = '12.5') =>
  JSON.stringify({
    streams: [
      { codec_type: 'audio', codec_name: 'aac' },
      { codec_type: 'video', codec_name: codec },
    ],
    format: { duration, size: '1000' },
  });

test('a file of our recorder is read', () => {
  expect(readProbe(probe('h264'))).toEqual({ durationMs: 12_500, size: 1000 });
});

test('a file with sound only is read as one', () => {
  const sound = JSON.stringify({ streams: [{ codec_type: 'audio', codec_name: 'aac' }], format: { duration: '3', size: '10' } });
  expect(readProbe(sound, true)).toEqual({ durationMs: 3_000, size: 10 });
  expect(() => readProbe(sound)).toThrow('no video');
});

test.each([
  ['another codec', probe('vp9')],
  ['no length', probe('h264', '0')],
  ['no answer', 'Invalid data'],
])('%s is refused', (_, text) => {
  expect(() => readProbe(text)).toThrow();
});
