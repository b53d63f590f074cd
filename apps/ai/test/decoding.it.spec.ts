import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutMetadata } from '@classroom/platform';
import { eventually } from '@classroom/testing';
import { readWav, writeWav } from '../src/inputs/wav.js';
import { failureOf, never } from './support/conformance.js';
import { decoder, halves, made, picture, recording } from './support/samples.js';

// Each test starts several programs, and the machine may be busy.
jest.setTimeout(60_000);

const of = (path: string, message: string | RegExp) => ({
  code: 'VALIDATION_FAILED',
  message: expect.stringMatching(message),
  details: [{ path, message: expect.stringMatching(message) }],
});

describe('a recording', () => {
  it.each([
    ['question.mp3', ['-c:a', 'libmp3lame']],
    ['question.m4a', ['-c:a', 'aac']],
    ['question.aac', ['-c:a', 'aac']],
    ['question.ogg', ['-c:a', 'libopus']],
    ['question.webm', ['-c:a', 'libopus']],
    ['float.wav', ['-c:a', 'pcm_f32le', '-ar', '48000', '-ac', '2']],
  ])('is accepted as %s, and becomes mono with 16,000 samples a second', async (name, encoding) => {
    const heard = readWav(await decoder().decodeAudio(await recording(name, ...encoding), never()));
    expect(heard.sampleRate).toBe(16_000);
    expect(heard.durationSeconds).toBeGreaterThan(1.2);
    expect(heard.durationSeconds).toBeLessThan(4);
    expect(heard.samples.some((byte) => byte > 32)).toBe(true);
  });

  it('is unchanged if it is a WAV with PCM 16', async () => {
    const wav = await recording('question.wav', '-c:a', 'pcm_s16le', '-ar', '44100', '-ac', '2');
    expect(await decoder().decodeAudio(wav, never())).toBe(wav);
  });

  it('is decoded without embedded images', async () => {
    const colour = ['-f', 'lavfi', '-i', 'color=red:s=64x64:r=5:d=1'];
    const tone = ['-f', 'lavfi', '-i', 'sine=440:d=1'];
    const film = await made('film.webm', ...colour, ...tone, '-c:v', 'libvpx', '-c:a', 'libopus');
    expect(readWav(await decoder().decodeAudio(film, never())).durationSeconds).toBeCloseTo(1, 0);
    const cover = await made('cover.mp3', ...tone, ...colour, '-frames:v', '1', '-c:v', 'png', '-disposition:v', 'attached_pic');
    expect(readWav(await decoder().decodeAudio(cover, never())).durationSeconds).toBeCloseTo(1, 0);
  });

  describe('with several tracks', () => {
    /** Tracks of one, two, three … seconds. */
    const film = (...tracks: string[][]) =>
      made(
        'film.mkv',
        ...tracks.flatMap((_, at) => ['-f', 'lavfi', '-i', `sine=440:d=${at + 1}`]),
        ...tracks.flatMap((_, at) => ['-map', String(at)]),
        ...tracks.flatMap(([codec = '', disposition = '0', channels = '1'], at) => [
          `-c:a:${at}`,
          codec,
          `-disposition:a:${at}`,
          disposition,
          `-ac:a:${at}`,
          channels,
        ]),
      );
    const seconds = async (...tracks: string[][]) =>
      Math.round(readWav(await decoder().decodeAudio(await film(...tracks), never())).durationSeconds);

    it('is the default one, else that with the most channels, else the first', async () => {
      expect(await seconds(['libopus'], ['aac', 'default'], ['libopus', '0', '2'])).toBe(2);
      expect(await seconds(['libopus'], ['libopus'], ['libopus', '0', '2'])).toBe(3);
      expect(await seconds(['libopus'], ['aac'])).toBe(1);
    });

    it('is the first that can be decoded if the default one cannot, and is not refused because of another', async () => {
      expect(await seconds(['ac3', 'default'], ['wmav2'], ['aac'], ['libopus'])).toBe(3);
      expect(await seconds(['aac', 'default'], ['ac3', '0', '2'])).toBe(1);
      const none = decoder().decodeAudio(await film(['ac3', 'default'], ['wmav2']), never());
      expect(await failureOf(none)).toMatchObject(of('audio', /has no sound that can be decoded/));
    });
  });

  it('of more than ten minutes is refused, compressed or as a WAV', async () => {
    const silence = await made('silence.mp3', '-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '620', '-b:a', '8k');
    expect(silence.length).toBeLessThan(1024 ** 2);
    expect(await failureOf(decoder().decodeAudio(silence, never()))).toMatchObject(of('audio', /must be at most 10 minutes long/));
    const wav = writeWav({ samples: Buffer.alloc(601 * 16_000), sampleRate: 8_000 });
    expect(await failureOf(decoder().decodeAudio(wav, never()))).toMatchObject(of('audio', /must be at most 10 minutes long/));
  });

  it('is no longer decoded after its caller disconnected, and leaves no file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ai-hang-up-'));
    const mark = Buffer.from(folder);
    const isOurs = async (name: string) => (await readFile(join(tmpdir(), name, 'input')).catch(() => undefined))?.equals(mark) ?? false;
    const inputs = async () => {
      const names = (await readdir(tmpdir())).filter((name) => name.startsWith('ai-input-'));
      return (await Promise.all(names.map(isOurs))).filter(Boolean).length;
    };
    try {
      const endless = join(folder, 'ffmpeg');
      await writeFile(endless, '#!/bin/sh\nexec sleep 600\n', { mode: 0o700 });
      const caller = new AbortController();
      const left = failureOf(decoder(endless).decodeAudio(mark, caller.signal));
      await eventually(async () => expect(await inputs()).toBe(1));
      caller.abort(new Error('gone'));
      expect((await left).message).toBe('gone');
      expect(await inputs()).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('needs ffmpeg, unless it is a WAV with PCM 16', async () => {
    const bare = decoder('no-such-program');
    expect(await failureOf(bare.decodeAudio(await recording('question.mp3'), never()))).toMatchObject(
      of('audio', /must be a WAV .* ffmpeg.* is not installed/),
    );
    const wav = writeWav({ samples: Buffer.alloc(3_200), sampleRate: 16_000 });
    expect(await bare.decodeAudio(wav, never())).toBe(wav);
  });
});

describe('a picture', () => {
  it.each([
    ['picture.png', 'image/png'],
    ['picture.jpg', 'image/jpeg'],
    ['picture.webp', 'image/webp'],
    ['picture.gif', 'image/gif'],
  ])('only loses its metadata if it is %s', async (name, mimeType) => {
    const original = await picture(name, '-metadata', 'comment=a place');
    const bytes = withoutMetadata(original) as Buffer;
    const { bytes: sent } = await decoder().decodeImage(original, mimeType, never());
    expect(await halves(sent)).toEqual(await halves(original));
    expect([sent.includes('a place'), sent.includes('Lavc')]).toEqual([false, false]);
    expect(await decoder().decodeImage(bytes, mimeType, never())).toEqual({ bytes, mimeType });
    expect(await decoder().decodeImage(bytes, 'image/x-unknown', never())).toEqual({ bytes, mimeType });
  });

  it.each([
    ['picture.bmp', 'image/bmp', []],
    ['picture.tiff', 'image/tiff', []],
    ['picture.ppm', 'image/x-portable-pixmap', []],
    ['picture.jp2', 'image/jp2', []],
    ['picture.jxl', 'image/jxl', []],
    ['picture.avif', 'image/avif', ['-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '8']],
  ])('is accepted as %s, and becomes a JPEG', async (name, claimed, encoding) => {
    const { bytes, mimeType } = await decoder().decodeImage(await picture(name, ...encoding), claimed, never());
    expect(mimeType).toBe('image/jpeg');
    const [left = [], right = []] = await halves(bytes);
    expect(left[0]).toBeGreaterThan(180);
    expect(right[2]).toBeGreaterThan(180);
  });

  it('gets a white background if it is transparent', async () => {
    const clear = await made('clear.tiff', '-f', 'lavfi', '-i', 'color=black@0.0:s=64x48,format=rgba', '-frames:v', '1');
    const { bytes } = await decoder().decodeImage(clear, 'image/tiff', never());
    for (const half of await halves(bytes)) expect(Math.min(...half)).toBeGreaterThan(245);
  });

  it('is refused if it is an SVG, not a picture, or of another type than declared', async () => {
    const refused = async (bytes: Buffer, claimed: string) => failureOf(decoder().decodeImage(bytes, claimed, never()));
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>');
    expect(await refused(svg, 'image/x-drawing')).toMatchObject(of('image', /can’t be decoded: it must be PNG/));
    expect(await refused(Buffer.from('no picture'), 'image/bmp')).toMatchObject(of('image', /can’t be decoded/));
    const png = await picture('picture.png');
    expect(await refused(png.subarray(0, 20), 'image/png')).toMatchObject(of('image', /can’t be decoded/));
    expect(await refused(await picture('picture.bmp'), 'image/png')).toMatchObject(of('image', /is not what imageMimeType says/));
  });

  it('of more pixels than fit into memory is refused', async () => {
    const vast = await picture('picture.bmp');
    vast.writeInt32LE(1_000_000, 18);
    vast.writeInt32LE(1_000_000, 22);
    expect(await failureOf(decoder().decodeImage(vast, 'image/bmp', never()))).toMatchObject(of('image', /can’t be decoded/));
  });

  it('needs ffmpeg, unless models accept its format', async () => {
    const bare = decoder('no-such-program');
    expect(await failureOf(bare.decodeImage(await picture('picture.bmp'), 'image/bmp', never()))).toMatchObject(
      of('image', /must be PNG, JPEG, WebP or GIF here: ffmpeg/),
    );
  });
});
