import { checkDuration, MAX_STREAMS, readProbe, formatDuration } from './read-probe.js';

const LIMITS = { seconds: 6 * 3600, side: 4096 };
const CODECS = new Set(['h264', 'mjpeg', 'aac']);
const SOURCE = {
  index: 0,
  duration: '60',
  codec_type: 'video',
  codec_name: 'h264',
  pix_fmt: 'yuv420p',
  width: 1920,
  height: 1080,
  r_frame_rate: '30/1',
  avg_frame_rate: '30/1',
};
const TALK = { index: 1, codec_type: 'audio', codec_name: 'aac', channels: 2 };
const FORMAT = { format_name: 'mov,mp4,m4a', duration: '60.5', size: '10000000' };

function read(streams: object[], format: object = {}) {
  return readProbe(JSON.stringify({ streams, format: { ...FORMAT, ...format } }), LIMITS, CODECS);
}

describe('a probed file', () => {
  test('is used with its video and its audio', () => {
    expect(read([SOURCE, TALK])).toMatchObject({
      formats: ['mov', 'mp4', 'm4a'],
      duration: 60.5,
      isDurationPlausible: true,
      video: {
        index: 0,
        codec: 'h264',
        size: { width: 1920, height: 1080 },
        frameRate: { value: 30 },
        isInterlaced: false,
        hdr: undefined,
        startsAt: 0,
      },
      audio: { index: 1, codec: 'aac', channels: 2, startsAt: 0 },
      cover: undefined,
    });
    expect(read([SOURCE]).audio).toBeUndefined();
    expect(read([TALK]).video).toBeUndefined();
  });

  test('is used with its default audio, else the one with the most channels, and none that is empty', () => {
    const tracks = [SOURCE, TALK, { ...TALK, index: 2, channels: 6 }, { ...TALK, index: 3, channels: 8, nb_frames: '0' }];
    expect(read(tracks).audio?.index).toBe(2);
    expect(read([...tracks, { ...TALK, index: 4, channels: 1, disposition: { default: 1, attached_pic: 0 } }]).audio?.index).toBe(4);
  });

  test('is used without the streams that are not decoded, however many and good they are', () => {
    const others = ['subtitle', 'data', 'attachment'].flatMap((codec_type) => Array.from({ length: 40 }, () => ({ codec_type })));
    const cover = { ...SOURCE, codec_name: 'bmp', disposition: { attached_pic: 1 } };
    const better = { ...TALK, codec_name: 'truehd', channels: 8, disposition: { default: 1 } };
    const streams = [cover, ...others, better, { ...SOURCE, codec_name: undefined, width: 4_000 }, SOURCE, TALK];
    const { video, audio, cover: poster } = read(streams.map((it, index) => ({ ...it, index })));
    expect([video?.index, audio?.index, poster]).toEqual([123, 124, undefined]);
    const file = JSON.stringify({ streams: [SOURCE, TALK, { ...TALK, index: 2 }], format: FORMAT });
    expect(readProbe(file, LIMITS, CODECS, new Set([0, 1]))).toMatchObject({ video: undefined, audio: { index: 2 } });
  });

  test.each([
    ['complete', 'smpte2084', 'bt2020', 'bt2020nc', ['bt2020', 'bt2020nc']],
    ['without primaries and matrix', 'smpte2084', undefined, undefined, ['bt2020', 'bt2020nc']],
    ['without matrix', 'arib-std-b67', 'smpte432', 'unknown', ['smpte432', 'bt2020nc']],
    ['with one that is reserved', 'arib-std-b67', 'reserved', 'reserved', ['bt2020', 'bt2020nc']],
  ])('has its HDR colours %s', (_, color_transfer, color_primaries, color_space, [primaries, matrix]) => {
    const { video } = read([{ ...SOURCE, color_transfer, color_primaries, color_space }]);
    expect(video?.hdr).toEqual({ transfer: color_transfer, primaries, matrix });
    expect(read([{ ...SOURCE, color_primaries, color_space }]).video?.hdr).toBeUndefined();
  });

  test('has no video if it has only a cover', () => {
    const cover = { ...SOURCE, codec_name: 'mjpeg', disposition: { default: 1, attached_pic: 1 } };
    expect(read([cover, TALK])).toMatchObject({ video: undefined, cover: 0 });
  });

  test.each([
    ['as it is', {}, 1920, 1080],
    ['turned', { side_data_list: [{ rotation: -90 }] }, 1080, 1920],
    ['upside down', { side_data_list: [{ rotation: 180 }] }, 1920, 1080],
    ['with wide pixels', { width: 720, height: 576, sample_aspect_ratio: '64:45' }, 1024, 576],
    ['with pixels of no size', { sample_aspect_ratio: '0:1' }, 1920, 1080],
    ['with both', { width: 720, height: 576, sample_aspect_ratio: '64:45', side_data_list: [{}, { rotation: 90 }] }, 576, 1024],
  ])('has the picture size %s', (_, changes, width, height) => {
    expect(read([{ ...SOURCE, ...changes }]).video?.size).toEqual({ width, height });
  });

  test('is not believed if its length is impossible', () => {
    for (const duration of [undefined, '0', '-5', 'N/A', '1e9', '0.001'])
      expect(read([SOURCE], { duration }).isDurationPlausible).toBe(false);
    expect(read([TALK], { format_name: 'mp3' }).isDurationPlausible).toBe(false);
  });

  test('has the end of its video relative to its start', () => {
    expect(read([{ ...SOURCE, start_time: '3.5' }], { start_time: '1.5' })).toMatchObject({ hasVideoEnd: true, video: { endsAt: 62 } });
    expect(read([{ ...SOURCE, duration: undefined }, TALK]).hasVideoEnd).toBe(false);
    expect(read([TALK]).hasVideoEnd).toBe(true);
  });
});

describe('a refused file', () => {
  test.each([
    ['nothing', '', 'can’t be read'],
    ['no JSON', '{', 'can’t be read'],
    ['no stream', JSON.stringify({ streams: [], format: FORMAT }), 'can’t be read'],
  ])('has an unreadable probe, such as %s', (_, text, message) => {
    expect(() => readProbe(text, LIMITS, CODECS)).toThrow(message);
  });

  test('exceeds a limit, which the message states', () => {
    expect(() => read([{ ...SOURCE, width: 8192 }])).toThrow('The picture is 8192 × 1080; at most 4096 pixels a side are taken');
    expect(() => read([{ ...SOURCE, width: 8 }])).toThrow('at least 16 pixels');
    const many = Array.from({ length: MAX_STREAMS }, (_, at) => ({ ...TALK, index: at + 1 }));
    expect(() => read([SOURCE, ...many])).toThrow('The file has 65 tracks; at most 64 are taken');
    expect(() => read([{ ...SOURCE, codec_name: undefined }])).toThrow('no picture and no sound');
    expect(() => read([{ index: 0, codec_type: 'subtitle', codec_name: 'srt' }])).toThrow('no picture and no sound');
    expect(() => checkDuration(7 * 3600 + 130, LIMITS)).toThrow('The file is 7 h 2 min long; at most 6 h are taken');
    expect(() => checkDuration(0, LIMITS)).toThrow('no picture and no sound');
    expect(() => checkDuration(6 * 3600, LIMITS)).not.toThrow();
  });

  test.each([
    [45, '45 s'],
    [60, '1 min'],
    [200, '3 min 20 s'],
    [3600, '1 h'],
    [7384, '2 h 3 min'],
    [0.2, '0 s'],
  ])('has a length of %d s, written as %s', (seconds, words) => {
    expect(formatDuration(seconds)).toBe(words);
  });
});
