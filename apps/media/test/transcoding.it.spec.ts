import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { quotasOf } from '@classroom/contracts';
import { eventually, inLongForm } from '@classroom/testing';
import { In } from 'typeorm';
import { LibraryEntity } from '../src/schema/library.entity.js';
import { VideoEntity } from '../src/schema/video.entity.js';
import { attemptPrefixOf } from '../src/stored/object-keys.js';
import { colors, decode, ffmpeg, ffprobe, momentsOf } from './support/ffmpeg.js';
import { withoutVorbisSetup } from './support/hostile.js';
import { TranscodingFixture } from './support/transcoding-fixture.js';

jest.setTimeout(180_000);

const PICTURE = (size = '320x180', rate = 10, seconds = 2) => `-f lavfi -i testsrc2=s=${size}:r=${rate}:d=${seconds}`;
const TONE = (seconds = 2, hertz = 440) => `-f lavfi -i sine=${hertz}:d=${seconds}`;
const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';

let fixture: TranscodingFixture;
beforeAll(async () => {
  fixture = await TranscodingFixture.start();
});
afterAll(() => fixture?.stop());

const path = (name: string) => join(fixture.home, name);

async function source(name: string, options: string): Promise<string> {
  await ffmpeg(options, path(name));
  return path(name);
}

async function bytesIn(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((it) => it.isFile());
  const sizes = await Promise.all(files.map(async (it) => (await stat(join(it.parentPath, it.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Checks what is true of every ladder. @returns the folder with its files */
async function expectPlayable(video: VideoEntity, seconds: number, names: string[]): Promise<string> {
  expect(video.message).toBeNull();
  expect(video).toMatchObject({ status: 'completed', progress: 100, duration: Math.round(seconds) });
  const result = video.result as NonNullable<VideoEntity['result']>;
  expect(Math.abs(result.duration - seconds)).toBeLessThan(0.3);
  expect(result.renditions.map(({ playlist }) => playlist)).toEqual(names.map((name) => `${name}/index.m3u8`));
  const folder = await fixture.fetch(video);
  const lengths = new Set<string>();
  for (const { playlist, codecs, width, height, bandwidth } of result.renditions) {
    const text = await readFile(join(folder, playlist), 'utf8');
    lengths.add(text.match(/^#EXTINF.*$/gm)?.join(' ') ?? '');
    expect(text.includes('#EXT-X-INDEPENDENT-SEGMENTS')).toBe(result.hasVideo);
    await decode(join(folder, playlist));
    const { streams } = await ffprobe(join(folder, playlist));
    const picture = streams.find(({ codec_type }) => codec_type === 'video');
    expect({ width: picture?.width ?? 0, height: picture?.height ?? 0 }).toEqual({ width, height });
    if (picture) expect(picture).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p' });
    expect(codecs).toMatch(/^(avc1\.6400[0-9a-f]{2})?,?(mp4a\.40\.2)?$/);
    expect([codecs.includes('avc1'), codecs.includes('mp4a')]).toEqual([result.hasVideo, result.hasAudio]);
    expect(bandwidth).toBeGreaterThan(1_000);
  }
  // All rungs are cut at the same frames.
  expect([...lengths]).toHaveLength(1);
  expect((await fixture.objects(video)).every((key) => key.startsWith(`${video.attempt}/`))).toBe(true);
  expect(await fixture.left()).toEqual([]);
  return folder;
}

describe('transcoding to a ladder', () => {
  test('accepts H.264 in MP4, and makes two rungs and a poster', async () => {
    const file = await source('h264.mp4', `${PICTURE('640x360', 10, 9)} ${TONE(9)} ${H264} -c:a aac -metadata location=+52+013/`);
    const video = await fixture.transcoded(file);
    const folder = await expectPlayable(video, 9, ['240p', '360p']);
    expect(video.outputBytes).toBe(await bytesIn(folder));
    const poster = await ffprobe(join(folder, 'poster.jpg'));
    expect(poster.streams[0]).toMatchObject({ codec_name: 'mjpeg', width: 640, height: 360 });
    expect(await readFile(join(folder, '360p/index.m3u8'), 'utf8')).toMatch(/EXTINF:4\.0+,[^]*EXTINF:4\.0+,[^]*EXTINF:1\./);
    expect((await readFile(join(folder, '360p/init.mp4'))).includes('+52+013')).toBe(false);
  });

  inLongForm(test)('accepts 10-bit HEVC in Matroska', async () => {
    const file = await source(
      'hevc.mkv',
      `${PICTURE()} ${TONE()} -c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le -c:a aac`,
    );
    await expectPlayable(await fixture.transcoded(file), 2, ['180p']);
  });

  inLongForm(test)('accepts VP9 and Opus in WebM without lengths, as browsers record it', async () => {
    const file = await source(
      'vp9.webm',
      `${PICTURE()} ${TONE()} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus -live 1 -f webm`,
    );
    await expectPlayable(await fixture.transcoded(file), 2, ['180p']);
  });

  inLongForm(test)('accepts interlaced MPEG-2 with wide pixels in a transport stream', async () => {
    const file = await source(
      'mpeg2.ts',
      `${PICTURE('360x288', 25)} ${TONE()} -c:v mpeg2video -flags +ilme+ildct -top 1 -aspect 16:9 -c:a mp2`,
    );
    const video = await fixture.transcoded(file);
    await expectPlayable(video, 2, ['240p', '288p']);
    expect(video.result?.renditions.at(-1)).toMatchObject({ width: 512, height: 288 });
  });

  inLongForm(test)('accepts MPEG-4 and MP3 in AVI', async () => {
    const file = await source('mpeg4.avi', `${PICTURE()} ${TONE()} -c:v mpeg4 -c:a libmp3lame`);
    await expectPlayable(await fixture.transcoded(file), 2, ['180p']);
  });

  inLongForm(test)('rotates a video of a telephone held upright', async () => {
    const flat = await source('flat.mp4', `${PICTURE('640x360')} ${TONE()} ${H264} -c:a aac`);
    const file = await source('upright.mp4', `-i ${flat} -c copy -metadata:s:v:0 rotate=90`);
    const video = await fixture.transcoded(file);
    await expectPlayable(video, 2, ['240p', '360p']);
    expect(video.result?.renditions.at(-1)).toMatchObject({ width: 360, height: 640 });
  });

  inLongForm(test)('accepts an odd size, in a MOV with its index at the end', async () => {
    const file = await source('odd.mov', `${PICTURE('321x241')} -c:v libx264 -preset ultrafast -pix_fmt yuv444p`);
    const video = await fixture.transcoded(file);
    await expectPlayable(video, 2, ['240p']);
    expect(video.result).toMatchObject({ hasAudio: false, renditions: [{ width: 320, height: 240 }] });
  });

  inLongForm(test)('keeps a variable frame rate', async () => {
    const file = await source('vfr.mp4', `${PICTURE('320x180', 30, 4)} -vf select=lt(t\\,2)+not(mod(n\\,5)) -vsync vfr ${H264}`);
    const video = await fixture.transcoded(file);
    const folder = await expectPlayable(video, 4, ['180p']);
    const { streams } = await ffprobe(join(folder, '180p/index.m3u8'));
    const [over = 0, under = 1] = streams[0]?.r_frame_rate.split('/').map(Number) ?? [];
    expect(over / under).toBeGreaterThan(15);
    expect(over / under).toBeLessThan(20);
  });

  inLongForm(test)('uses the default one of two audio tracks', async () => {
    const tracks = `${PICTURE()} ${TONE()} ${TONE(2, 880)} -map 0 -map 1 -map 2 ${H264} -c:a aac -ac:a:0 1 -ac:a:1 2`;
    const file = await source('two.mp4', `${tracks} -disposition:a:0 0 -disposition:a:1 default`);
    const folder = await expectPlayable(await fixture.transcoded(file), 2, ['180p']);
    expect((await ffprobe(join(folder, '180p/index.m3u8'))).streams.filter(({ codec_type }) => codec_type === 'audio')).toHaveLength(1);
  });

  inLongForm(test)('accepts video that ends before its audio, and audio that begins late', async () => {
    const file = await source('short.mp4', `${PICTURE('320x180', 10, 1)} -itsoffset 1 ${TONE()} ${H264} -c:a aac`);
    await expectPlayable(await fixture.transcoded(file), 3, ['180p']);
  });

  inLongForm(test)('accepts audio with a cover, and makes it the poster', async () => {
    const cover = await source('cover.png', '-f lavfi -i testsrc2=s=300x300 -frames:v 1');
    const file = await source('song.mp3', `${TONE()} -i ${cover} -map 0 -map 1 -c:a libmp3lame -c:v copy -disposition:v attached_pic`);
    const video = await fixture.transcoded(file);
    const folder = await expectPlayable(video, 2, ['64k', '128k']);
    expect(video.result).toMatchObject({ hasVideo: false, hasAudio: true, poster: 'poster.jpg' });
    expect((await ffprobe(join(folder, 'poster.jpg'))).streams[0]).toMatchObject({ width: 300, height: 300 });
  });

  test('accepts audio without a cover, and makes no poster', async () => {
    const video = await fixture.transcoded(await source('talk.mp3', `${TONE()} -c:a libmp3lame`));
    await expectPlayable(video, 2, ['64k', '128k']);
    expect(video.result?.poster).toBeNull();
  });
});

describe('a file as phones, browsers and editors write it', () => {
  test('is used without the streams that are not needed', async () => {
    // Longer than the film.
    const words = await fixture.file('words.srt', '1\n00:00:00,100 --> 00:00:20,000\nHi\n');
    const cover = await source('cover.bmp', '-f lavfi -i color=red:s=64x64 -frames:v 1');
    const inputs = `-f lavfi -i color=blue:s=160x90:r=10:d=1 ${TONE(1)} -i ${words} ${TONE(1)} ${TONE(1)}`;
    const maps = `-map 0 -map 1 -map 2 -map 3 -map 4 ${H264} -c:a:0 aac -c:a:1 truehd -ac:a:1 2 -strict -2 -disposition:a:1 default`;
    const broken = '-c:a:2 libvorbis -ac:a:2 2 -disposition:a:2 default';
    const file = await source('odd.mkv', `${inputs} ${maps} ${broken} -c:s ass -attach ${cover} -metadata:s:t mimetype=image/bmp`);
    const odd = await fixture.file('odd.mkv', withoutVorbisSetup(await readFile(file)));
    const folder = await expectPlayable(await fixture.transcoded(odd), 1, ['90p']);
    expect(await momentsOf(join(folder, '90p/index.m3u8'), [0.5])).toEqual([{ color: 'blue', hertz: 450 }]);
  });

  test('keeps picture and sound in step, and the shape, when both change in mid-file', async () => {
    const part = async (at: number, color: string, size: string, hertz: number, sound: string) => {
      const inputs = `-f lavfi -i color=${color}:s=${size}:r=10:d=1 ${TONE(1, hertz)}`;
      return readFile(await source(`part-${at}.ts`, `${inputs} ${H264} -c:a mp2 ${sound} -output_ts_offset ${at}`));
    };
    const parts = [
      await part(0, 'red', '160x90', 400, '-ar 44100 -ac 1'),
      await part(1, 'blue', '90x160', 800, '-ar 48000 -ac 2'),
      await part(2, 'red', '160x90', 400, '-ar 44100 -ac 1'),
    ];
    const file = await fixture.file('changing.ts', Buffer.concat(parts));
    const folder = await expectPlayable(await fixture.transcoded(file), 3, ['90p']);
    const made = join(folder, '90p/index.m3u8');
    expect(await momentsOf(made, [0.5, 1.5, 2.5])).toEqual([
      { color: 'red', hertz: 400 },
      { color: 'blue', hertz: 800 },
      { color: 'red', hertz: 400 },
    ]);
    await ffmpeg(`-i ${made} -vf trim=start=1.5 -frames:v 1`, path('tall.png'));
    const row = await colors(path('tall.png'), 8, 1);
    expect(row.map(([, , blue = 0]) => blue > 100)).toEqual([false, false, false, true, true, false, false, false]);
  });

  test('has a playlist that players accept, if it has one frame', async () => {
    const video = await fixture.transcoded(await source('frame.mp4', `${PICTURE('160x90', 25, 0.04)} ${H264}`));
    const folder = await fixture.fetch(video);
    expect(await readFile(join(folder, '90p/index.m3u8'), 'utf8')).toContain('#EXT-X-TARGETDURATION:1\n');
  });

  test('is converted to the colours of every screen, if it says only that it is HDR', async () => {
    const hevc = '-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -x265-params log-level=none:transfer=smpte2084';
    const video = await fixture.transcoded(await source('pq.mp4', `-f lavfi -i color=red:s=160x90:r=10:d=1 ${hevc}`));
    const folder = await expectPlayable(video, 1, ['90p']);
    const { streams } = await ffprobe(join(folder, '90p/index.m3u8'));
    expect(streams[0]).toMatchObject({ color_transfer: 'bt709', color_primaries: 'bt709', color_space: 'bt709' });
  });
});

describe('transcoding to a single file', () => {
  test('copies streams that browsers play', async () => {
    const file = await source('plays.mp4', `${PICTURE('640x360')} ${TONE()} ${H264} -c:a aac`);
    const video = await fixture.transcoded(file, 'mp4');
    expect(video).toMatchObject({
      status: 'completed',
      result: { type: 'mp4', entry: 'file.mp4', poster: 'poster.jpg', renditions: [{ width: 640, height: 360 }] },
    });
    const made = join(await fixture.fetch(video), 'file.mp4');
    await decode(made);
    expect(Math.abs((await stat(made)).size - (await stat(file)).size)).toBeLessThan(5_000);
    const bytes = await readFile(made);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  inLongForm(test)('transcodes streams that browsers do not play', async () => {
    const video = await fixture.transcoded(await source('old.avi', `${PICTURE('640x360')} ${TONE()} -c:v mpeg4 -c:a libmp3lame`), 'mp4');
    expect(video).toMatchObject({
      status: 'completed',
      result: { entry: 'file.mp4', poster: 'poster.jpg', renditions: [{ codecs: expect.stringMatching(/^avc1\.\w{6},mp4a\.40\.2$/) }] },
    });
    expect((await fixture.objects(video)).sort()).toEqual(['1/file.mp4', '1/poster.jpg']);
  });
});

describe('a worker', () => {
  let [brief, short, long] = ['', '', ''];
  beforeAll(async () => {
    brief = await source('brief.mp4', `${PICTURE()} ${H264}`);
    short = await source('short-of-long.mp4', `${PICTURE('320x180', 10, 10)} ${TONE(10)} ${H264} -c:a aac`);
    long = await source('long.mp4', `-stream_loop 20 -i ${short} -c copy`);
  });

  /** Command lines of the ffmpeg and ffprobe processes that work in a folder of this bench. */
  const children = () => {
    const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
    return lines.filter((line) => line.includes(fixture.config.MEDIA_WORK_HOME) && !line.includes('ps -eo'));
  };
  const inProgress = (videoId: string) => eventually(async () => expect((await fixture.row(videoId)).progress).toBeGreaterThan(0), 120_000);

  test('stops working on a deleted video, and leaves no files', async () => {
    const videoId = await fixture.waiting(long);
    const done = fixture.worker().execute(videoId);
    await inProgress(videoId);
    expect(children()).toHaveLength(1);
    const complete = jest.spyOn(fixture.videos, 'complete');
    await fixture.change(videoId, { deletedAt: new Date(), transcodeAt: null });
    await done;
    expect(complete).not.toHaveBeenCalled();
    complete.mockRestore();
    expect(children()).toEqual([]);
    expect(await fixture.objects(await fixture.row(videoId))).toEqual([]);
    expect(await fixture.left()).toEqual([]);
  });

  inLongForm(test)('finishes its video within the grace period when its process is stopped', async () => {
    const videoId = await fixture.waiting(short);
    const worker = fixture.worker({ drainSeconds: 6_000 });
    const done = worker.execute(videoId);
    await eventually(async () => expect((await fixture.row(videoId)).status).toBe('processing'));
    await fixture.shutDown();
    await done;
    expect(await fixture.row(videoId)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  test('fails a video beyond the quotas of its organization, and counts the length of each once', async () => {
    const { manager } = fixture.dataSource;
    const seconds = async () => Number((await manager.find(LibraryEntity))[0]?.seconds);
    await manager.update(LibraryEntity, { organizationId: 'org_1' }, { seconds: 58 });
    fixture.organizationQuotas = { videoGib: null, videoMinutes: 1 };
    const video = await fixture.transcoded(brief);
    expect(video).toMatchObject({ status: 'completed', countedSeconds: 2 });
    await fixture.quotas.count(video, 2);
    expect(await seconds()).toBe(60);
    const beyond = await fixture.transcoded(brief);
    expect(beyond).toMatchObject({ status: 'failed', attempt: 1, message: expect.stringMatching(/1 of 1 minutes.*quotas\.videoMinutes/) });
    expect(await fixture.objects(beyond)).toEqual([]);
    fixture.organizationQuotas = { videoGib: 0, videoMinutes: null };
    expect(await fixture.transcoded(brief)).toMatchObject({ status: 'failed', message: expect.stringContaining('quotas.videoGib') });
    expect(await seconds()).toBe(60);
    fixture.organizationQuotas = quotasOf(null);
  });

  test('takes one video of each organization before a second one of any', async () => {
    await fixture.insert('vid_large_1', 'org_large', -90);
    await fixture.insert('vid_large_2', 'org_large', -80);
    await fixture.insert('vid_small_1', 'org_small', -10);
    // In progress: the lease ends in a minute.
    await fixture.insert('vid_busy_1', 'org_busy', 60, { status: 'processing' });
    await fixture.insert('vid_busy_2', 'org_busy', -70);
    const due = await fixture.waitingVideos.due(new Date(), 1_000);
    const ids = due.map(({ videoId }) => videoId);
    expect(ids.filter((id) => /^vid_(large|small|busy)/.test(id))).toEqual(['vid_large_1', 'vid_small_1', 'vid_large_2', 'vid_busy_2']);
    await fixture.dataSource.manager.delete(VideoEntity, { organizationId: In(['org_large', 'org_small', 'org_busy']) });
  });

  inLongForm(test)('gives back a video immediately that it cannot finish within the grace period, and takes no other', async () => {
    const [videoId, next] = [await fixture.waiting(long), await fixture.waiting(long)];
    const worker = fixture.worker({ drainSeconds: 1 });
    const done = worker.execute(videoId);
    await inProgress(videoId);
    await fixture.shutDown();
    await worker.execute(next);
    expect(await fixture.row(next)).toMatchObject({ status: 'pending', attempt: 0 });
    await done;
    expect(children()).toEqual([]);
    expect(await fixture.row(videoId)).toMatchObject({ status: 'pending', attempt: 0 });
    expect(await fixture.waitingVideos.due(new Date(), 10)).toContainEqual({ videoId });
    for (const id of [videoId, next]) await fixture.change(id, { transcodeAt: null });
  });

  inLongForm(test)('takes no video that another worker holds, and takes over from one that died', async () => {
    const videoId = await fixture.waiting(brief);
    const past = new Date(Date.now() - 1_000);
    await fixture.videos.begin(videoId, new Date(), new Date(Date.now() + 60_000));
    await fixture.storage.upload(
      `${attemptPrefixOf({ organizationId: 'org_1', videoId }, 1)}180p/00000.m4s`,
      { file: brief },
      { contentType: 'video/iso.segment' },
    );
    await fixture.worker().execute(videoId);
    expect(await fixture.row(videoId)).toMatchObject({ status: 'processing', attempt: 1 });
    await fixture.change(videoId, { transcodeAt: past });
    await fixture.worker().execute(videoId);
    const video = await fixture.row(videoId);
    expect(video).toMatchObject({ status: 'completed', attempt: 2 });
    expect((await fixture.objects(video)).filter((key) => !key.startsWith('2/'))).toEqual([]);
    // A worker that resumes an attempt after it was replaced changes nothing.
    expect(await fixture.videos.complete(videoId, 1, video.result as never, new Date())).toBe(false);
  });

  inLongForm(test)('gives up after five interruptions', async () => {
    const videoId = await fixture.waiting(brief);
    await fixture.change(videoId, { attempt: 5 });
    await fixture.worker().execute(videoId);
    expect(await fixture.row(videoId)).toMatchObject({ status: 'failed', message: expect.stringContaining('interrupted too often') });
  });

  inLongForm(test)('waits while the storage is unreachable', async () => {
    const videoId = await fixture.waiting(brief);
    await fixture.stack.part('s3').kill();
    const requests = jest.spyOn(fixture.storage, 'abortUploads');
    const done = fixture.worker().execute(videoId);
    await eventually(async () => expect(await fixture.row(videoId)).toMatchObject({ status: 'processing', attempt: 1 }));
    await eventually(() => expect(requests.mock.calls.length).toBeGreaterThan(1));
    requests.mockRestore();
    await fixture.stack.part('s3').start();
    await done;
    expect(await fixture.row(videoId)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  test('fails a truncated file with a message', async () => {
    const file = await source('cut.mp4', `${PICTURE('320x180', 5, 20)} ${H264} -movflags +faststart`);
    await truncate(file, Math.floor((await stat(file)).size / 2));
    const video = await fixture.transcoded(file);
    expect(video).toMatchObject({ status: 'failed', attempt: 1, message: 'The file is cut short: it ends before the length it tells' });
    expect(await fixture.objects(video)).toEqual([]);
  });
});
