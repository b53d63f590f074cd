import { codecsOf, durationOf, peakBitrate, segmentsOf, withTargetDuration } from './output-upload.js';

const PLAYLIST = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-MAP:URI="init.mp4"
#EXTINF:4.004000,
00000.m4s
#EXTINF:4.000000,
00001.m4s
#EXTINF:0.100000,
00002.m4s
#EXT-X-ENDLIST
`;

describe('a variant', () => {
  const segments = segmentsOf(PLAYLIST);
  const sizes: Record<string, number> = { '00000.m4s': 500_500, '00001.m4s': 400_000, '00002.m4s': 100_000 };

  test('has the length of its segments, and the highest sustained bandwidth', () => {
    expect(segments.map(({ name }) => name)).toEqual(Object.keys(sizes));
    expect(durationOf(segments)).toBeCloseTo(8.104);
    expect(peakBitrate(segments, (name) => sizes[name] ?? 0)).toBeCloseTo(1_000_000, -1);
    expect(peakBitrate(segments.slice(2), (name) => sizes[name] ?? 0)).toBe(8_000_000);
    expect(peakBitrate([], () => 0)).toBe(1);
    expect(segmentsOf('')).toEqual([]);
  });

  test('has a target duration that is neither 0 nor shorter than a segment', () => {
    const withSegments = (...durations: number[]) =>
      withTargetDuration(['#EXTM3U', '#EXT-X-TARGETDURATION:0', ...durations.map((it) => `#EXTINF:${it},\n0.m4s`), ''].join('\n'));
    expect(withSegments(0.04)).toContain('#EXT-X-TARGETDURATION:1\n');
    expect(withSegments(4, 4.2, 0.1)).toContain('#EXT-X-TARGETDURATION:4\n');
    expect(withTargetDuration(PLAYLIST)).toBe(PLAYLIST);
  });

  test('names its codecs', () => {
    const video = Buffer.concat([Buffer.from('\0\0\0\x39avcC'), Buffer.from([1, 0x64, 0x00, 0x1f, 0xff])]);
    expect(codecsOf(video, false)).toBe('avc1.64001f');
    expect(codecsOf(video, true)).toBe('avc1.64001f,mp4a.40.2');
    expect(codecsOf(Buffer.from('moov'), true)).toBe('mp4a.40.2');
  });
});
