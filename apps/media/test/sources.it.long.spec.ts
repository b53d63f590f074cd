import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpeg, momentsOf, type Moment } from './support/ffmpeg.js';
import { withoutVorbisSetup } from './support/hostile.js';
import { TranscodingFixture } from './support/transcoding-fixture.js';

/** Files of one second per part: each part has a colour and a tone, by which the result is compared with the source second by second. */
jest.setTimeout(600_000);

const COLORS = ['red', 'green', 'blue'] as const;
const TONES = [400, 800, 600];

let fixture: TranscodingFixture;
beforeAll(async () => {
  fixture = await TranscodingFixture.start();
});
afterAll(() => fixture?.stop());

const path = (name: string) => join(fixture.home, name);

/** Lavfi inputs of a film whose second n has colour n and tone n. */
function film(seconds: number, size = '160x90', rate = 10): string {
  const green = '0x00ff00';
  const pictures = COLORS.slice(0, seconds).map((name) => `color=${name === 'green' ? green : name}:s=${size}:r=${rate}:d=1`);
  const sounds = TONES.slice(0, seconds).map((hertz) => `sine=${hertz}:d=1:r=48000`);
  const inputs = [...pictures, ...sounds].map((it) => `-f lavfi -i ${it}`).join(' ');
  const labels = (from: number, kind: string) => pictures.map((_, n) => `[${from + n}:${kind}]`).join('');
  const graph = `${labels(0, 'v')}concat=n=${seconds}[v];${labels(seconds, 'a')}concat=n=${seconds}:v=0:a=1[a]`;
  return `${inputs} -filter_complex ${graph} -map [v] -map [a]`;
}

const EXPECTED: Moment[] = COLORS.map((color, n) => ({ color, hertz: TONES[n] ?? 0 }));

async function expectInStep(file: string, expected: (Partial<Moment> | undefined)[] = EXPECTED, playback: 'hls' | 'mp4' = 'hls') {
  const video = await fixture.transcoded(file, playback);
  expect(video).toMatchObject({ status: 'completed', message: null });
  const made = join(await fixture.fetch(video), video.result?.renditions.at(-1)?.playlist ?? '');
  const moments = await momentsOf(
    made,
    expected.map((_, at) => at + 0.5),
  );
  expect(moments).toEqual(expected.map((it) => expect.objectContaining(it ?? {})));
}

const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 10';
const CONTAINERS: [name: string, options: string][] = [
  ['h264.mp4', `${H264} -c:a aac`],
  ['fragmented.mp4', `${H264} -c:a aac -movflags frag_keyframe+empty_moov`],
  ['fragmented-by-time.mp4', `${H264} -c:a aac -movflags dash+delay_moov -frag_duration 500000`],
  ['negative-start.mp4', `${H264} -bf 2 -c:a aac -movflags negative_cts_offsets`],
  ['opus.mp4', `${H264} -c:a libopus`],
  ['hevc.mov', '-c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1 -c:a alac'],
  ['prores.mov', '-c:v prores_ks -c:a pcm_s16be'],
  ['live.webm', '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus -live 1 -f webm'],
  ['vp8.webm', '-c:v libvpx -deadline realtime -b:v 1M -c:a libvorbis'],
  ['no-cues.mkv', `${H264} -c:a flac -live 1`],
  ['mpeg2.ts', '-c:v mpeg2video -r 25 -c:a mp2'],
  ['h264.ts', `${H264} -c:a aac`],
  ['ac3.mpg', '-f mpeg -c:v mpeg2video -r 25 -c:a ac3'],
  ['mpeg4.avi', '-c:v mpeg4 -c:a libmp3lame'],
  ['mjpeg.avi', '-c:v mjpeg -pix_fmt yuvj420p -c:a pcm_s16le'],
  ['h264.flv', `${H264} -c:a aac -ar 44100`],
  ['wmv2.asf', '-c:v wmv2 -c:a wmav2'],
  ['h263.3gp', '-c:v h263 -s 176x144 -c:a aac -ar 44100'],
  ['theora.ogv', '-c:v libtheora -q:v 8 -c:a libvorbis'],
  ['mpeg2.mxf', '-c:v mpeg2video -r 25 -c:a pcm_s16le -ar 48000'],
  ['raw.dv', '-target pal-dv'],
];

test.each(CONTAINERS)('%s is seen and heard as it was made', async (name, options) => {
  await ffmpeg(`${film(3)} ${options}`, path(name));
  await expectInStep(path(name));
});

test.each([
  ['h264.mp4', `${H264} -c:a aac`],
  ['no-cues.mkv', `${H264} -c:a aac -live 1`],
  ['copied.mp4', `${H264} -c:a aac -movflags frag_keyframe+empty_moov`],
])('%s is one file that is seen and heard as it was made', async (name, options) => {
  await ffmpeg(`${film(3)} ${options}`, path(name));
  await expectInStep(path(name), EXPECTED, 'mp4');
});

describe('a stream that is not used', () => {
  let base: string;
  beforeAll(async () => {
    base = path('base.mp4');
    await ffmpeg(`${film(3)} ${H264} -c:a aac`, base);
    await fixture.file('words.srt', '1\n00:00:00,500 --> 00:00:02,000\nHi\n');
    await ffmpeg('-f lavfi -i color=white:s=64x64 -frames:v 1', path('cover.bmp'));
    await ffmpeg('-f lavfi -i color=white:s=64x64 -frames:v 1', path('cover.gif'));
    await ffmpeg('-f lavfi -i color=white:s=5000x5000 -frames:v 1', path('cover.png'));
  });

  const text = (codec: string) => `-i FOLDER/words.srt -map 0 -map 1 -c copy -c:s ${codec}`;
  const sound = (codec: string) => `-f lavfi -i sine=1000:d=3 -map 0 -map 1 -c copy -c:a:1 ${codec} -strict -2 -disposition:a:1 default`;
  const cover = (type: string) => `-map 0 -c copy -attach FOLDER/cover.${type} -metadata:s:t mimetype=image/${type}`;
  const extra: [name: string, options: string][] = [
    ['text.mp4', text('mov_text')],
    ['text.mov', text('mov_text')],
    ['srt.mkv', text('srt')],
    ['ass.mkv', text('ass')],
    ['webvtt.mkv', text('webvtt')],
    ['pictures.mkv', '-f lavfi -i color=white:s=64x64:r=1:d=3 -map 0 -map 1 -c copy -c:v:1 gif'],
    ['fonts.mkv', `-map 0 -c copy ${'-attach FOLDER/words.srt '.repeat(80)}-metadata:s:t mimetype=application/x-truetype-font`],
    ['bmp.mkv', cover('bmp')],
    ['gif.mkv', cover('gif')],
    ['large-cover.mkv', cover('png')],
    ['truehd.mkv', `${sound('truehd')} -ac:a:1 2`],
    ['g726.mov', `${sound('g726')} -ar:a:1 8000 -ac:a:1 1`],
    ['gsm.mov', `${sound('libgsm')} -ar:a:1 8000 -ac:a:1 1`],
    ['adpcm.mkv', sound('adpcm_yamaha')],
    ['experimental.mkv', sound('sonic')],
    ['s302m.ts', `${sound('s302m')} -ar:a:1 48000 -ac:a:1 2`],
    ['timecode.mov', '-map 0 -c copy -timecode 01:00:00:00'],
    ['chapters.mp4', '-map 0 -c copy -metadata title=x'],
  ];
  test.each(extra)('does no harm: %s', async (name, options) => {
    await ffmpeg(`-i ${base} ${options.replaceAll('FOLDER', fixture.home)}`, path(name));
    await expectInStep(path(name));
  });

  test.each(['text.mp4', 'text.mov', 'ass.mkv', 'sound.mkv', 'sound.mp4'])(
    'does no harm if it is longer than those that are: %s',
    async (name) => {
      await fixture.file('long-words.srt', '1\n00:00:00,500 --> 00:01:00,000\nHi\n');
      const codec = { mp4: 'mov_text', mov: 'mov_text', mkv: 'ass' }[name.split('.')[1] ?? ''];
      const longer =
        name.startsWith('text') || name.startsWith('ass')
          ? `-i FOLDER/long-words.srt -c:s ${codec}`
          : '-f lavfi -i sine=1000:d=20 -c:a:1 aac';
      const options = longer.replace(/ (-c\S+ \S+)$/, ' -map 0 -map 1 -c copy $1 -disposition:a:0 default');
      await ffmpeg(`-i ${base} ${options.replaceAll('FOLDER', fixture.home)}`, path(`longer-${name}`));
      await expectInStep(path(`longer-${name}`));
    },
  );

  test.each(['hls', 'mp4'] as const)('does no harm if no decoder can be opened for it, or for all the sound: %s', async (playback) => {
    await ffmpeg(
      `-i ${base} -f lavfi -i sine=1000:d=3 -map 0 -map 1 -c copy -c:a:1 libvorbis -ac:a:1 2 -disposition:a:1 default`,
      path('two.mkv'),
    );
    await expectInStep(await fixture.file('broken.mkv', withoutVorbisSetup(await readFile(path('two.mkv')))), EXPECTED, playback);
    await ffmpeg(`-i ${base} -f lavfi -i sine=1000:d=3 -map 0 -map 1 -c copy -c:a:1 pcm_s16le -disposition:a:1 default`, path('pcm.mov'));
    const wma = (await readFile(path('pcm.mov'))).toString('latin1').replace('sowt', 'ms\u0001\u0061');
    await expectInStep(await fixture.file('wma.mov', Buffer.from(wma, 'latin1')), EXPECTED, playback);
    await ffmpeg(`-i ${base} -map 0 -c copy -c:a libvorbis`, path('one.mkv'));
    const silent = COLORS.map((color) => ({ color, hertz: 0 }));
    await expectInStep(await fixture.file('no-sound.mkv', withoutVorbisSetup(await readFile(path('one.mkv')))), silent, playback);
  });

  test('does no harm as the cover of a song', async () => {
    for (const type of ['bmp', 'gif']) {
      const maps = '-map 0:a -map 1 -c:a libmp3lame -c:v copy -disposition:v attached_pic';
      await ffmpeg(`-i ${base} -i ${path(`cover.${type}`)} ${maps}`, path(`${type}.mp3`));
      await expectInStep(
        path(`${type}.mp3`),
        TONES.map((hertz) => ({ hertz })),
      );
    }
  });

  test('does no harm if it is all the sound there is', async () => {
    await ffmpeg(`${film(3)} ${H264} -c:a truehd -ac 2 -strict -2`, path('only.mkv'));
    await expectInStep(
      path('only.mkv'),
      COLORS.map((color) => ({ color, hertz: 0 })),
    );
  });
});

describe('a film whose parts differ', () => {
  /** As a telephone that is turned while it records: each frame says how it is shown. */
  const ROTATED = (degrees: number) => `-bsf:v h264_metadata=display_orientation=insert:rotate=${degrees}`;
  const parts = async (name: string, all: { picture?: string; sound?: string }[]) => {
    const files = await Promise.all(
      all.map(async ({ picture = '', sound = '' }, n) => {
        const color = COLORS[n] === 'green' ? '0x00ff00' : COLORS[n];
        const size = /-s (\S+)/.exec(picture)?.[1] ?? '160x90';
        const inputs = `-f lavfi -i color=${color}:s=${size}:r=10:d=1 -f lavfi -i sine=${TONES[n]}:d=1`;
        const file = path(`${name}-${n}.ts`);
        await ffmpeg([inputs, H264, '-c:a mp2', picture, sound, `-output_ts_offset ${n}`].filter(Boolean).join(' '), file);
        return readFile(file);
      }),
    );
    return fixture.file(`${name}.ts`, Buffer.concat(files));
  };

  test.each([
    ['size', [{ picture: '-s 160x90' }, { picture: '-s 320x180' }, { picture: '-s 90x160' }]],
    ['pixel shape', [{ picture: '-aspect 16:9' }, { picture: '-aspect 4:3' }, { picture: '-aspect 1:1' }]],
    ['pixel format', [{ picture: '-pix_fmt yuv420p' }, { picture: '-pix_fmt yuv444p' }, { picture: '-pix_fmt yuv420p10le' }]],
    ['rotation', [{}, { picture: ROTATED(90) }, { picture: ROTATED(180) }]],
    ['frame rate', [{ picture: '-r 10' }, { picture: '-r 30' }, { picture: '-r 25' }]],
    ['sample rate', [{ sound: '-ar 44100' }, { sound: '-ar 48000' }, { sound: '-ar 32000' }]],
    ['channels', [{ sound: '-ac 1' }, { sound: '-ac 2' }, { sound: '-ac 1' }]],
    ['everything', [{ picture: '-s 160x90 -r 10', sound: '-ac 1 -ar 44100' }, { picture: '-s 90x160 -r 25', sound: '-ac 2' }, {}]],
  ])('by %s keeps picture and sound in step', async (name, all) => {
    await expectInStep(await parts(name.replace(' ', '-'), all));
  });

  test('by sample rate and channels is heard as it was made, as sound alone', async () => {
    const files = await Promise.all(
      ['-ar 44100 -ac 1', '-ar 48000 -ac 2', '-ar 44100 -ac 2'].map(async (sound, n) => {
        await ffmpeg(`-f lavfi -i sine=${TONES[n]}:d=1 -c:a libmp3lame ${sound} -write_xing 0 -id3v2_version 0`, path(`song-${n}.mp3`));
        return readFile(path(`song-${n}.mp3`));
      }),
    );
    await expectInStep(
      await fixture.file('song.mp3', Buffer.concat(files)),
      TONES.map((hertz) => ({ hertz })),
    );
  });

  test('by their beginning: picture or sound begins late', async () => {
    await ffmpeg(`-f lavfi -i color=red:s=160x90:r=10:d=3 -itsoffset 1 -f lavfi -i sine=400:d=2 ${H264} -c:a aac`, path('late-sound.mp4'));
    await expectInStep(path('late-sound.mp4'), [
      { color: 'red', hertz: 0 },
      { color: 'red', hertz: 400 },
    ]);
    await ffmpeg(
      `-itsoffset 1 -f lavfi -i color=red:s=160x90:r=10:d=2 -f lavfi -i sine=400:d=3 ${H264} -c:a aac`,
      path('late-picture.mkv'),
    );
    await expectInStep(path('late-picture.mkv'), [{ hertz: 400 }, { color: 'red', hertz: 400 }]);
  });
});

describe('HDR colours', () => {
  const TRANSFERS = ['smpte2084', 'arib-std-b67'];
  const OTHERS = ['', ':colorprim=bt2020', ':colormatrix=bt2020nc', ':colorprim=bt2020:colormatrix=bt2020nc', ':colorprim=smpte432'];
  test.each([...TRANSFERS.flatMap((transfer) => OTHERS.map((rest) => `:transfer=${transfer}${rest}`)), ...OTHERS.slice(1)])(
    'described by %s are shown',
    async (description) => {
      const name = `hdr-${description.replaceAll(/\W/g, '-')}.mp4`;
      const hevc = `-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -x265-params log-level=none${description}`;
      await ffmpeg(`${film(3)} ${hevc} -c:a aac`, path(name));
      await expectInStep(path(name));
    },
  );
});
