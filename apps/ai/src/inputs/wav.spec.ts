import { execFileSync } from 'node:child_process';
import { AppError } from '@classroom/contracts';
import fc from 'fast-check';
import { isPcm16Wav, concatAudio, readSynthesizedWav, readWav, writeWav } from './wav.js';

const sampleRate = 16_000;
const samples = (values: number[]) => {
  const buffer = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => buffer.writeInt16LE(value, index * 2));
  return buffer;
};
const sample = fc.integer({ min: -32_768, max: 32_767 });
const audio = fc.record({
  values: fc.array(sample, { minLength: 1, maxLength: 200 }),
  sampleRate: fc.constantFrom(8_000, 16_000, 22_050, 24_000, 48_000),
});

const chunk = (name: string, body: Buffer) => {
  const header = Buffer.alloc(8);
  header.write(name, 0, 'latin1');
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body, Buffer.alloc(body.length % 2)]);
};
const riff = (...chunks: Buffer[]) => {
  const body = Buffer.concat([Buffer.from('WAVE', 'latin1'), ...chunks]);
  return chunk('RIFF', body);
};
interface Format {
  tag?: number;
  channels?: number;
  rate?: number;
  bits?: number;
  align?: number;
}
const format = ({ tag = 1, channels = 1, rate = sampleRate, bits = 16, align = channels * 2 }: Format = {}) => {
  const body = Buffer.alloc(16);
  body.writeUInt16LE(tag, 0);
  body.writeUInt16LE(channels, 2);
  body.writeUInt32LE(rate, 4);
  body.writeUInt32LE(rate * align, 8);
  body.writeUInt16LE(align, 12);
  body.writeUInt16LE(bits, 14);
  return chunk('fmt ', body);
};
const data = (values: number[]) => chunk('data', samples(values));

function refusal(bytes: Uint8Array): string {
  try {
    readWav(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    const { code, details, message } = error as AppError;
    expect(code).toBe('VALIDATION_FAILED');
    expect(details?.map(({ path }) => path)).toEqual(['audio']);
    return message;
  }
  return 'read';
}

describe('a WAV that needs no decoder', () => {
  it('has PCM 16, complete or not', () => {
    const whole = writeWav({ samples: samples([1, 2, 3]), sampleRate });
    expect(isPcm16Wav(whole)).toBe(true);
    expect(isPcm16Wav(whole.subarray(0, 46))).toBe(true);
    expect(isPcm16Wav(riff(chunk('LIST', Buffer.from('odd')), format({ channels: 2 }), data([1, 2])))).toBe(true);
  });

  it('has no other encoding or format', () => {
    for (const other of [{ tag: 3, bits: 32, align: 4 }, { bits: 24, align: 3 }, { channels: 6 }, { rate: 4_000 }])
      expect(isPcm16Wav(riff(format(other), data([1])))).toBe(false);
    for (const other of [riff(data([1])), Buffer.from('RIFF'), Buffer.from('OggS and so on, and on'), Buffer.alloc(0)])
      expect(isPcm16Wav(other)).toBe(false);
  });
});

describe('readWav', () => {
  it('reads what writeWav wrote', () => {
    fc.assert(
      fc.property(audio, ({ values, sampleRate }) => {
        const written = { samples: samples(values), sampleRate };
        expect(readWav(writeWav(written))).toEqual({ ...written, durationSeconds: values.length / sampleRate });
      }),
    );
  });

  it('takes chunks in any order, with others between them', () => {
    const list = chunk('LIST', Buffer.from('odd'));
    const expected = { samples: samples([1, -2, 3]), sampleRate };
    expect(readWav(riff(list, format(), list, data([1, -2, 3]), list))).toMatchObject(expected);
    expect(readWav(riff(data([1, -2, 3]), list, format()))).toMatchObject(expected);
  });

  it('mixes two channels to one', () => {
    const read = readWav(riff(format({ channels: 2 }), data([100, 300, -32_768, -32_768])));
    expect(read.samples).toEqual(samples([200, -32_768]));
    expect(read.durationSeconds).toBe(2 / sampleRate);
  });

  it('accepts the extensible form of PCM', () => {
    const body = Buffer.alloc(40);
    format({ tag: 0xfffe }).copy(body, 0, 8);
    body.writeUInt16LE(22, 16);
    body.writeUInt16LE(1, 24);
    expect(readWav(riff(chunk('fmt ', body), data([5]))).samples).toEqual(samples([5]));
  });

  it.each<[string, Buffer]>([
    ['audio must be a WAV file (RIFF, PCM 16)', Buffer.from('ID3 this is an MP3, or so it says')],
    ['audio must be a WAV file (RIFF, PCM 16)', Buffer.alloc(0)],
    ['audio is cut off: its header tells of more than there is', riff(format(), data([1, 2, 3, 4])).subarray(0, -2)],
    ['audio is cut off: a part of it is missing', Buffer.concat([riff(format()), Buffer.from('data\x40\0\0\0ab', 'latin1')])],
    ['audio has no format (a chunk "fmt ") in it', riff(data([1]))],
    ['audio has no sound in it', riff(format())],
    ['audio has no sound in it', riff(format(), data([]))],
    ['audio ends in the middle of a sample', riff(format(), chunk('data', Buffer.from([1, 2, 3])))],
    ['audio must be PCM with 16 bits a sample', riff(format({ tag: 3 }), data([1]))],
    ['audio must be PCM with 16 bits a sample', riff(format({ bits: 24, align: 3 }), data([1]))],
    ['audio must have one or two channels', riff(format({ channels: 6 }), data([1]))],
    ['audio must have between 8000 and 96000 samples a second', riff(format({ rate: 4_000 }), data([1]))],
    ['audio has a format that contradicts itself', riff(format({ align: 7 }), data([1]))],
  ])('fails with "%s"', (message, bytes) => {
    expect(refusal(bytes)).toBe(message);
  });

  it('refuses any other input, and throws no other error', () => {
    const whole = riff(format(), data([1, 2, 3, 4]));
    const damaged = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, value]) => {
      const copy = Buffer.from(whole);
      copy[at] = value;
      return copy;
    });
    const any = fc.oneof(
      damaged,
      fc.uint8Array({ maxLength: 100 }),
      fc.nat(whole.length).map((length) => whole.subarray(0, length)),
    );
    fc.assert(fc.property(any, (bytes) => void refusal(bytes)));
  });
});

describe('readMadeWav', () => {
  it('reads a sound whose sizes were not known when its header was written', () => {
    const resampled = Buffer.concat([riff(format(), data([1, 2, 3]))]);
    resampled.writeUInt32LE(0xffff_ffff, 4);
    resampled.writeUInt32LE(0xffff_ffff, 40);
    expect(readSynthesizedWav(resampled).samples).toEqual(samples([1, 2, 3]));
    expect(readSynthesizedWav(resampled.subarray(0, -1)).samples).toEqual(samples([1, 2]));
    expect(() => readSynthesizedWav(Buffer.from('not a sound'))).toThrow('must be a WAV file');
  });
});

describe('joinSounds', () => {
  it('keeps all samples of sounds with one rate', () => {
    fc.assert(
      fc.property(fc.array(fc.array(sample, { minLength: 1, maxLength: 50 }), { minLength: 1, maxLength: 5 }), (parts) => {
        const joined = concatAudio(parts.map((values) => ({ samples: samples(values), sampleRate })));
        expect(joined).toEqual({ samples: samples(parts.flat()), sampleRate });
      }),
    );
  });

  it('resamples another rate to the first one’s', () => {
    const joined = concatAudio([
      { samples: samples([0]), sampleRate: 16_000 },
      { samples: samples([0, 100]), sampleRate: 8_000 },
    ]);
    expect(joined).toEqual({ samples: samples([0, 0, 50, 100, 100]), sampleRate: 16_000 });
  });
});

it('writes what ffprobe reads as PCM 16, mono', () => {
  const wav = writeWav({ samples: Buffer.alloc(2 * 8_000), sampleRate: 16_000 });
  const probe = execFileSync(
    'ffprobe',
    ['-v', 'error', '-show_entries', 'stream=codec_name,channels,sample_rate,duration', '-of', 'json', '-'],
    { input: wav },
  );
  const { streams } = JSON.parse(probe.toString()) as { streams: object[] };
  expect(streams).toEqual([expect.objectContaining({ codec_name: 'pcm_s16le', channels: 1, sample_rate: '16000' })]);
});
