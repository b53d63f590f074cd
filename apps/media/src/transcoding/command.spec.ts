import type { Source } from './source.js';
import { commandOf, posterCommand } from './command.js';
import { planOf } from './plan.js';

const OPTIONS = { file: '/videos/source', limits: { seconds: 3_600, side: 4_096 }, threads: 2, canToneMap: true };
const SOURCE: Source = {
  formats: ['mov', 'mp4'],
  duration: 60,
  video: {
    index: 0,
    codec: 'h264',
    pixelFormat: 'yuv420p',
    size: { width: 640, height: 360 },
    frameRate: { value: 29.97, text: '30000/1001' },
    isInterlaced: false,
    hdr: undefined,
    startsAt: 0,
    endsAt: 60,
  },
  audio: { index: 2, codec: 'aac', channels: 2, startsAt: 0.02 },
  cover: undefined,
};
const video = SOURCE.video as NonNullable<Source['video']>;

const command = (source: Source, playback: 'hls' | 'mp4' = 'hls', options = OPTIONS) =>
  commandOf(source, planOf(source, playback), options);
const after = (args: string[], option: string) => args.flatMap((it, at) => (it === option ? [args[at + 1]] : []));
const graph = (args: string[]) => after(args, '-filter_complex').join(';');

describe('the command of a ladder', () => {
  const args = command(SOURCE);

  test('reads one file and nothing else, and each stream of it once', () => {
    expect(after(args, '-i')).toEqual(['file:/videos/source']);
    const before = args.slice(0, args.indexOf('-i'));
    expect(after(before, '-protocol_whitelist')).toEqual(['file']);
    const formats = after(before, '-format_whitelist')[0]?.split(',') ?? [];
    for (const refused of ['hls', 'dash', 'concat', 'image2', 'lavfi', 'tee', 'sdp', 'applehttp', 'rtsp', 'svg_pipe', 'imf'])
      expect(formats).not.toContain(refused);
    expect(formats).toEqual(expect.arrayContaining(['mp4', 'matroska', 'mpegts', 'avi', 'ogg', 'mp3']));
    expect(before).toEqual(expect.arrayContaining(['-codec_whitelist', '-max_pixels', '16777216', '-t', '3660']));
    expect(graph(args)?.match(/\[0:\d+\]/g)).toEqual(['[0:0]', '[0:2]']);
  });

  test('makes every rung and the poster of the same frames', () => {
    expect(graph(args)).toBe(
      '[0:0]fps=fps=30000/1001,' +
        "scale='max(2,2*round(min(640,360*dar)/2))':'max(2,2*round(min(360,640/dar)/2))':flags=bicubic," +
        'format=yuv420p,pad=640:360:(ow-iw)/2:(oh-ih)/2,setsar=1,split=3[v1][s0][p];' +
        '[s0]scale=426:240:flags=bicubic[v0];' +
        '[p]trim=start=6:duration=6,fps=2,scale=640:360:flags=bicubic,thumbnail=n=20,format=yuvj420p[poster];' +
        '[0:2]aresample=48000:async=1000,aformat=channel_layouts=stereo,apad,atrim=start=0:end=60,asplit=2[a0][a1]',
    );
    expect(after(args, '-map')).toEqual(['[v0]', '[a0]', '[v1]', '[a1]', '[poster]']);
    expect(after(args, '-maxrate')).toEqual(['399k', '800k']);
    expect(after(args, '-g')).toEqual(['120', '120']);
    expect(after(args, '-force_key_frames')).toEqual(['expr:gte(t,n_forced*4)', 'expr:gte(t,n_forced*4)']);
    expect(after(args, '-hls_segment_filename')).toEqual(['240p/%05d.m4s', '360p/%05d.m4s']);
    expect(after(args, '-map_metadata')).toEqual(['-1', '-1']);
    expect(args.at(-1)).toBe('poster.jpg');
  });

  test('depends on the source', () => {
    expect(graph(command({ ...SOURCE, video: { ...video, isInterlaced: true } }))).toContain(
      '[0:0]bwdif=mode=send_frame:deint=interlaced,fps',
    );
    expect(graph(command({ ...SOURCE, video: { ...video, endsAt: 50.5 } }))).toContain(',tpad=stop_mode=clone:stop_duration=9.5,');
    const late = { ...SOURCE, audio: { index: 2, codec: 'aac', channels: 2, startsAt: 1 } };
    expect(graph(command(late))).toContain('async=1000:first_pts=0,');
    const hdr = { ...SOURCE, video: { ...video, hdr: { transfer: 'smpte2084', primaries: 'bt2020', matrix: 'bt2020nc' } } };
    expect(graph(command(hdr))).toContain('setparams=color_trc=smpte2084:color_primaries=bt2020:colorspace=bt2020nc,zscale=t=linear');
    expect(graph(command(hdr, 'hls', { ...OPTIONS, canToneMap: false }))).not.toContain('zscale');
  });

  test('has no audio part or no video part without such a stream', () => {
    const silent = command({ ...SOURCE, audio: undefined });
    expect(after(silent, '-map')).toEqual(['[v0]', '[v1]', '[poster]']);
    expect(silent).not.toContain('aac');
    const heard = command({ ...SOURCE, video: undefined });
    expect(graph(heard)).toBe('[0:2]aresample=48000:async=1000,aformat=channel_layouts=stereo,atrim=start=0,asplit=2[a0][a1]');
    expect(after(heard, '-map')).toEqual(['[a0]', '[a1]']);
    expect(after(heard, '-b:a')).toEqual(['64k', '128k']);
    expect(heard).not.toContain('libx264');
  });
});

describe('the command of a single file', () => {
  test('copies streams that browsers play', () => {
    const args = command(SOURCE, 'mp4');
    expect(after(args, '-c')).toEqual(['copy']);
    expect(after(args, '-map')).toEqual(['0:0', '0:2']);
    expect(args.slice(-4)).toEqual(['+faststart', '-f', 'mp4', 'file.mp4']);
  });

  test.each([
    ['another codec', { ...SOURCE, video: { ...video, codec: 'hevc' } }],
    ['ten bits', { ...SOURCE, video: { ...video, pixelFormat: 'yuv420p10le' } }],
    ['other sound', { ...SOURCE, audio: { index: 2, codec: 'ac3', channels: 2, startsAt: 0 } }],
    ['a container of another kind', { ...SOURCE, formats: ['mpegts'] }],
  ])('transcodes %s, only to the top rung', (_, source) => {
    const args = command(source, 'mp4');
    expect(after(args, '-map')).toEqual(['[v0]', '[a0]', '[poster]']);
    expect(after(args, '-f')).toEqual(['mp4', 'image2']);
    expect(after(args, '-maxrate')).toEqual(['800k']);
  });

  test('can make a poster alone', () => {
    const args = posterCommand(3, 6, OPTIONS);
    expect([after(args, '-ss'), after(args, '-map')]).toEqual([['6'], ['0:3']]);
    expect(args.indexOf('-ss')).toBeLessThan(args.indexOf('-i'));
    expect(posterCommand(3, 0, OPTIONS)).not.toContain('-ss');
  });
});
