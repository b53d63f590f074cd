import type { TranscodingResult } from '../schema/video.entity.js';
import { locateFile, type PlayableVideo } from './playable-videos.js';

const result: TranscodingResult = {
  type: 'hls',
  entry: 'master.m3u8',
  duration: 12.5,
  bytes: 1,
  hasVideo: true,
  hasAudio: true,
  renditions: [
    { width: 426, height: 240, bandwidth: 500_000, codecs: 'avc1.64000d,mp4a.40.2', playlist: '240p/index.m3u8' },
    { width: 1280, height: 720, bandwidth: 3_000_000, codecs: 'avc1.64001f,mp4a.40.2', playlist: '720p/index.m3u8' },
  ],
  poster: 'poster.jpg',
};
const video = {
  videoId: 'vid_abcdefghij0123456789',
  organizationId: 'org_1',
  status: 'completed',
  attempt: 3,
  result,
  captions: [{ language: 'pt-BR', label: 'Português', isDefault: false }],
} as PlayableVideo;

const keyOf = (path: string, changed: Partial<PlayableVideo> = {}) => {
  const located = locateFile({ ...video, ...changed } as PlayableVideo, path);
  return located?.kind === 'object' ? located.key.replace(/^videos\/[0-9a-f]{24}\/vid_abcdefghij0123456789\//, '') : located?.kind;
};

describe('a playable file', () => {
  it.each([
    ['master.m3u8', 'master'],
    ['240p/index.m3u8', '3/240p/index.m3u8'],
    ['720p/seg_00001.m4s', '3/720p/seg_00001.m4s'],
    ['720p/init.mp4', '3/720p/init.mp4'],
    ['poster.jpg', '3/poster.jpg'],
    ['captions/pt-br.vtt', 'captions/pt-br.vtt'],
    ['captions/pt-br.m3u8', 'captionPlaylist'],
  ])('is %s', (path, key) => expect(keyOf(path)).toBe(key));

  it.each([
    '',
    '/',
    '.',
    '..',
    '../source',
    '240p/../../source',
    '720p/..',
    '720p/.m4s',
    '720p/a.b/c.ts',
    '1080p/index.m3u8',
    'source',
    'source.info',
    '2/720p/index.m3u8',
    '3/720p/index.m3u8',
    '720p/seg.key',
    '720p/seg%2e.ts',
    '720p//seg.ts',
    '/720p/seg.ts',
    'captions/en.vtt',
    'captions/PT-BR.vtt',
    'captions/../source',
    'master.m3u8/',
    'index.m3u8',
    '720p/seg.ts\n',
    '720p\\seg.ts',
    'poster.png',
  ])('is not %j', (path) => expect(keyOf(path)).toBeUndefined());

  it('of a single-file video is the file or its poster', () => {
    const single = { result: { ...result, type: 'mp4', entry: 'video.mp4', poster: null, renditions: [] } } as Partial<PlayableVideo>;
    expect(['video.mp4', 'master.m3u8', 'other.mp4', 'poster.jpg', 'captions/pt-br.vtt'].map((path) => keyOf(path, single))).toEqual([
      '3/video.mp4',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('does not exist before the video is completed', () => {
    expect(keyOf('master.m3u8', { status: 'processing' })).toBeUndefined();
    expect(keyOf('poster.jpg', { status: 'failed', result: null })).toBeUndefined();
  });
});
