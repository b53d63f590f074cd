import { decodersOf, probeOptions } from './input-options.js';

const ALLOWED = { formats: ['mp4'], decoders: ['h264', 'libdav1d'] };
const LISTING = `Decoders:
 V..... = Video
 ------
 VFS..D h264                 H.264 / AVC / MPEG-4 AVC (decoders: h264 h264_qsv )
 V....D libdav1d             dav1d AV1 decoder by VideoLAN (codec av1)
 A....D mp3float             MP3 (MPEG audio layer 3) (codec mp3)
 S..... ssa                  ASS (Advanced SubStation Alpha) subtitle (codec ass)
`;

it('the installed decoders are known with the codec of each', () => {
  const decoders = decodersOf(LISTING);
  expect([...decoders]).toEqual(
    expect.arrayContaining([
      ['libdav1d', 'av1'],
      ['mp3float', 'mp3'],
      ['ssa', 'ass'],
      ['h264', 'h264'],
    ]),
  );
});

it('ffprobe reads with the allowed decoders, and opens all of them', () => {
  const options = probeOptions(ALLOWED, '/videos/source', 4_096, ['h264', 'ssa']);
  expect(options.slice(-2)).toEqual(['-i', 'file:/videos/source']);
  expect(options[options.indexOf('-codec_whitelist') + 1]).toBe('h264,libdav1d');
  // The last list that applies to a stream counts.
  expect(options.indexOf('-codec_whitelist')).toBeLessThan(options.indexOf('-codec_whitelist:s'));
  expect(options[options.indexOf('-codec_whitelist:s') + 1]).toBe('h264,ssa');
});
