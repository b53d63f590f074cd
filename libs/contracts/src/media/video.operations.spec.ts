import { createVideoBody } from './video.operations.js';

describe('the type of a video', () => {
  const typeOf = (contentType: string) => createVideoBody.safeParse({ title: 't', fileName: 'f', size: 1, contentType }).data?.contentType;

  it.each([
    ['video/mp4', 'video/mp4'],
    ['video/webm;codecs=vp9,opus', 'video/webm'],
    [' Video/WebM; codecs="vp8, opus"', 'video/webm'],
    ['AUDIO/X-M4A', 'audio/x-m4a'],
    [`video/mp4;\t${'😀'.repeat(199)}`, 'video/mp4'],
  ])('%j is %s', (written, kept) => expect(typeOf(written)).toBe(kept));

  it.each(['image/png', 'video', 'video/', 'video/mp4 x', 'x;video/mp4', 'video/mp4;a\r', `video/mp4;${'😀'.repeat(201)}`, ''])(
    'is not %j',
    (written) => {
      expect(typeOf(written)).toBeUndefined();
    },
  );
});
