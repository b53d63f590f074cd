import { isPlaylist, readLink } from './link.js';

const SRC = 'https://media.example/v/vid_1/t2x.k1.abc-_/master.m3u8';

it('reads addresses, title and language from the fragment', () => {
  const poster = 'https://media.example/v/vid_1/t2x.k1.abc-_/poster.jpg';
  const fragment = `#src=${encodeURIComponent(SRC)}&poster=${encodeURIComponent(poster)}&title=${encodeURIComponent('Äpfel & Birnen #1')}&lang=de`;
  expect(readLink(fragment)).toEqual({ src: SRC, poster, title: 'Äpfel & Birnen #1', language: 'de' });
  expect(readLink(`#src=${SRC}`)).toEqual({ src: SRC, poster: null, title: '', language: null });
});

it.each([
  '',
  '#',
  '#title=x',
  '#src=',
  '#src=video.mp4',
  '#src=javascript:alert(1)',
  '#src=data:video/mp4,x',
  '#src=file:///etc/passwd',
  '#src=blob:https://a.example/1',
])('finds no video in %j', (fragment) => expect(readLink(fragment).src).toBeNull());

it('recognizes a playlist by its path', () => {
  expect(isPlaylist(SRC)).toBe(true);
  expect(isPlaylist(`${SRC}?token=a.mp4`)).toBe(true);
  expect(isPlaylist('https://media.example/v/vid_1/t/source.mp4?x=.m3u8')).toBe(false);
});
