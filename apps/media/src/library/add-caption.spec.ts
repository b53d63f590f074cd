import { webVttOf } from './add-caption.js';

describe('a caption track', () => {
  it.each([
    ['WEBVTT', 'WEBVTT'],
    ['\uFEFFWEBVTT - a comment\r\n\r\n00:01.000 --> 00:02.000\r\nHi', 'WEBVTT - a comment\n\n00:01.000 --> 00:02.000\nHi'],
    ['WEBVTT\n\n100:00:01.000 --> 100:00:02.000 align:start\nHi', 'WEBVTT\n\n100:00:01.000 --> 100:00:02.000 align:start\nHi'],
    ['WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n00:00.500 --> 00:01.500\nHi', 'WEBVTT\n\n00:00.500 --> 00:01.500\nHi'],
    ['WEBVTT x\r\nKind: captions\r\nx-timestamp-map=LOCAL:00:00:00.000,MPEGTS:1\r\n', 'WEBVTT x\nKind: captions\n'],
    [
      'WEBVTT\n\nNOTE X-TIMESTAMP-MAP=1\n\nSTYLE\n::cue { color: red }\n\n00:00.500 --> 00:01.500\nX-TIMESTAMP-MAP=MPEGTS:1',
      'WEBVTT\n\nNOTE X-TIMESTAMP-MAP=1\n\nSTYLE\n::cue { color: red }\n\n00:00.500 --> 00:01.500\nX-TIMESTAMP-MAP=MPEGTS:1',
    ],
  ])('may be %j', (content, kept) => expect(webVttOf(content)).toBe(kept));

  it.each([
    '',
    'webvtt',
    'WEBVTTX',
    ' WEBVTT',
    '<html>',
    '1\n00:00:01,000 --> 00:00:02,000\nHi',
    'WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nHi',
    'WEBVTT\n\na\u0000',
  ])('is not %j', (content) => expect(() => webVttOf(content)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' })));
});
