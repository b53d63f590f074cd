import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureOf, never } from './support/conformance.js';
import { decoder, made, picture, recording } from './support/samples.js';

// Each test starts several programs, and the machine may be busy.
jest.setTimeout(60_000);

/** The error that every attack must get. It proves that no content of another file or address was returned. */
const REFUSED = { code: 'VALIDATION_FAILED', details: [{ path: 'audio' }] };

describe('a malicious file', () => {
  let server: Server;
  let folder: string;
  let secret: string;
  let url: string;
  const asked: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ai-hostile-'));
    secret = join(folder, 'secret.wav');
    const wav = await made('tone.wav', '-f', 'lavfi', '-i', 'sine=440:d=1');
    await writeFile(secret, wav);
    await writeFile(join(folder, 'secret.png'), await picture('secret.png'));
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(wav);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tone.wav`;
  });
  afterAll(async () => {
    await new Promise((resolve) => void server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  const attacks: [string, () => Buffer | Promise<Buffer>][] = [
    ['a playlist that names an address', () => Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`)],
    ['a playlist that names a file', () => Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`)],
    ['a list of files to concatenate', () => Buffer.from(`ffconcat version 1.0\nfile ${secret}\n`)],
    ['a list of addresses to concatenate', () => Buffer.from(`ffconcat version 1.0\nfile ${url}\n`)],
    ['a session description', () => Buffer.from('v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 9 RTP/AVP 0\n')],
    [
      'a manifest of DASH',
      () =>
        Buffer.from(
          `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
        ),
    ],
    ['random bytes', () => randomBytes(100_000)],
    ['nothing but zeros', () => Buffer.alloc(100_000)],
    ['an M4A without its end', async () => (await recording('cut.m4a', '-c:a', 'aac')).subarray(0, 4_000)],
    ['a WAV without its end', async () => (await recording('cut.wav', '-c:a', 'pcm_s16le')).subarray(0, 4_000)],
    [
      'a WAV whose header tells of hours',
      async () => {
        const wav = await recording('long.wav', '-c:a', 'pcm_s16le', '-bitexact');
        wav.writeUInt32LE(0x7fff_ff00, 4);
        wav.writeUInt32LE(0x7fff_f000, 40);
        return wav;
      },
    ],
    ['an Ogg cut off within its header', async () => (await recording('cut.ogg', '-c:a', 'libopus')).subarray(0, 60)],
    ['a film without sound', () => made('film.mp4', '-f', 'lavfi', '-i', 'color=red:s=64x64:r=5:d=1', '-c:v', 'mpeg4')],
  ];

  it.each(attacks)('is refused as a recording: %s', async (_, attack) => {
    expect(await failureOf(decoder().decodeAudio(await attack(), never()))).toMatchObject(REFUSED);
    expect(asked).toEqual([]);
  });

  it.each([
    ['a playlist', () => `#EXTM3U\n#EXTINF:1,\n${url}\n`],
    ['a list of files to concatenate', () => `ffconcat version 1.0\nfile ${join(folder, 'secret.png')}\n`],
    [
      'an SVG that names a file',
      () =>
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><image xlink:href="${join(folder, 'secret.png')}" width="9" height="9"/></svg>`,
    ],
    ['random bytes', () => randomBytes(50_000)],
  ])('is refused as a picture: %s', async (_, attack) => {
    expect(await failureOf(decoder().decodeImage(Buffer.from(attack()), 'image/bmp', never()))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'image' }],
    });
    expect(asked).toEqual([]);
  });
});
