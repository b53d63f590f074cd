import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inLongForm } from '@classroom/testing';
import type { VideoEntity } from '../src/schema/video.entity.js';
import { colors, ffmpeg } from './support/ffmpeg.js';
import { claimedDuration, claimedWidth, compressedIndex, external, gzipBomb, manyTracks } from './support/hostile.js';
import { TranscodingFixture } from './support/transcoding-fixture.js';

jest.setTimeout(180_000);

const CANARY = 'canary-3f9c1d7a';
const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';
const UNREADABLE = 'The file can’t be read: it is no video or audio file of a kind that is taken, or it is damaged';

let fixture: TranscodingFixture;
let listener: Server;
let heard = 0;
/** A film in plain green: output that shows it was made from another file. */
let secret: string;
let text: string;
let address: string;
let own: Buffer;

beforeAll(async () => {
  fixture = await TranscodingFixture.start();
  listener = createServer((_, response) => response.end()).on('connection', () => (heard += 1));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  secret = join(fixture.home, 'secret.ts');
  await ffmpeg(`-f lavfi -i color=green:s=320x180:d=2 ${H264}`, secret);
  text = await fixture.file('secret.txt', CANARY.repeat(100));
  await ffmpeg(`-f lavfi -i color=red:s=320x180:d=2 ${H264}`, join(fixture.home, 'own.mp4'));
  own = await readFile(join(fixture.home, 'own.mp4'));
});
afterAll(async () => {
  listener?.close();
  await fixture?.stop();
});

async function tried(content: string | Buffer): Promise<VideoEntity> {
  const video = await fixture.transcoded(await fixture.file('hostile', content));
  expect(heard).toBe(0);
  expect(await fixture.left()).toEqual([]);
  return video;
}

async function expectRefused(content: string | Buffer, message: string = UNREADABLE): Promise<void> {
  const video = await tried(content);
  expect(video).toMatchObject({ status: 'failed', message, attempt: 1, result: null });
  expect(await fixture.objects(video)).toEqual([]);
}

/** The file may be accepted, but the output contains nothing of another file. */
async function expectOwn(content: Buffer): Promise<VideoEntity> {
  const video = await tried(content);
  expect(['completed', 'failed']).toContain(video.status);
  if (video.status === 'failed') return video;
  const folder = await fixture.fetch(video);
  const [[red = 0, green = 0] = []] = await colors(join(folder, 'poster.jpg'), 1, 1);
  expect(red).toBeGreaterThan(200);
  expect(green).toBeLessThan(60);
  for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (name.isFile()) expect((await readFile(join(name.parentPath, name.name))).includes(CANARY)).toBe(false);
  }
  return video;
}

const playlist = (...lines: string[]) =>
  ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:4', '#EXTINF:2.0,', ...lines, '#EXT-X-ENDLIST', ''].join('\n');

describe('no other file or address is opened for', () => {
  test('a playlist of files', async () => {
    await expectRefused(playlist(`file://${secret}`));
    await expectRefused(playlist(secret));
    await expectRefused(playlist(`concat:${secret}|${text}`));
  });
  test('a playlist of addresses', async () => {
    await expectRefused(playlist(`${address}/a.ts`));
    await expectRefused(['#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=1', `${address}/b.m3u8`, ''].join('\n'));
    await expectRefused(playlist('#EXT-X-KEY:METHOD=AES-128,URI="' + address + '/key"', '#EXTINF:2.0,', `file://${secret}`));
  });
  inLongForm(test)('a concatenation list', async () => {
    await expectRefused(`ffconcat version 1.0\nfile file://${secret}\n`);
    await expectRefused("ffconcat version 1.0\nfile 'file:///etc/passwd'\n");
    await expectRefused(`ffconcat version 1.0\nfile ${address}/c.mp4\n`);
  });
  inLongForm(test)('a DASH manifest', async () => {
    const base = `<BaseURL>${address}/d.mp4</BaseURL>`;
    const set = `<AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1">${base}</Representation></AdaptationSet>`;
    await expectRefused(
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period>${set}</Period></MPD>`,
    );
  });
  inLongForm(test)('a session description, a page, or a drawing', async () => {
    await expectRefused('v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n');
    await expectRefused(`<!doctype html><video src="${address}/e.mp4"></video>`);
    await expectRefused(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${address}/f.png"/></svg>`,
    );
  });
  test('a playlist appended to a film', async () => {
    await expectOwn(Buffer.concat([own, Buffer.from(playlist(`file://${secret}`))]));
    await expectRefused(Buffer.concat([Buffer.from(playlist(`file://${secret}`)), own]));
  });
  inLongForm(test)('a film with external samples', async () => {
    const other = join(fixture.home, 'secret.mp4');
    await ffmpeg(`-f lavfi -i color=green:s=320x180:d=2 ${H264}`, other);
    await expectOwn(external(own, other));
    await expectOwn(external(own, text));
  });
});

describe('a broken file is handled:', () => {
  test('an empty file, a few bytes, and noise', async () => {
    await expectRefused('');
    await expectRefused('\0');
    for (let turn = 0; turn < 2; turn++) await expectRefused(randomBytes(500_000));
  });
  inLongForm(test)('a film without its index, and an index without its film', async () => {
    await expectRefused(own.subarray(0, own.indexOf('moov') - 4));
    const video = await tried(own.subarray(own.indexOf('moov') - 4));
    expect(video).toMatchObject({ status: 'failed', attempt: 1 });
  });
  inLongForm(test)('a film with noise in its middle', async () => {
    const noisy = Buffer.from(own);
    randomBytes(200).copy(noisy, own.indexOf('mdat') + 700);
    const video = await tried(noisy);
    expect(['completed', 'failed']).toContain(video.status);
  });
});

describe('a file beyond the limits is handled:', () => {
  test('a picture that is too large', async () => {
    await ffmpeg(`-f lavfi -i color=red:s=5000x64:d=1 ${H264}`, join(fixture.home, 'wide.mp4'));
    await expectRefused(await readFile(join(fixture.home, 'wide.mp4')), 'The picture is 5000 × 64; at most 4096 pixels a side are taken');
  });
  inLongForm(test)('a false width', async () => {
    await ffmpeg('-f lavfi -i color=red:s=320x180:d=2 -c:v libvpx -deadline realtime -cpu-used 8', join(fixture.home, 'claim.mkv'));
    const video = await tried(claimedWidth(await readFile(join(fixture.home, 'claim.mkv')), 320, 65_000));
    expect(['completed', 'failed']).toContain(video.status);
  });
  inLongForm(test)('an excessive length, and a false one', async () => {
    await ffmpeg('-f lavfi -i sine=d=700 -c:a libmp3lame -b:a 32k', join(fixture.home, 'long.mp3'));
    await expectRefused(await readFile(join(fixture.home, 'long.mp3')), 'The file is 11 min 40 s long; at most 10 min are taken');
    await ffmpeg(`-i ${join(fixture.home, 'own.mp4')} -c copy`, join(fixture.home, 'claim.mkv'));
    const claim = await readFile(join(fixture.home, 'claim.mkv'));
    for (const milliseconds of [1e15, Number.NaN, -1]) {
      const video = await expectOwn(claimedDuration(claim, milliseconds));
      if (video.status === 'completed') expect(video.duration).toBe(2);
    }
  });
  inLongForm(test)('a hundred tracks and thousands', async () => {
    await expectRefused(manyTracks(own, 100), 'The file has 100 tracks; at most 64 are taken');
    await expectRefused(manyTracks(own, 5_000));
  });
  test('one megabyte that expands to three hundred', async () => {
    await expectRefused(gzipBomb());
    await expectRefused(compressedIndex());
  });
});
