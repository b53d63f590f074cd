import { mp4Duration } from './finalize-recording.js';

const box = (type: string, body: Buffer): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
};
const mvhd = (timescale: number, duration: number): Buffer => {
  const body = Buffer.alloc(100);
  body.writeUInt32BE(timescale, 12);
  body.writeUInt32BE(duration, 16);
  return box('mvhd', body);
};
const mvhd64 = (timescale: number, duration: bigint): Buffer => {
  const body = Buffer.alloc(112);
  body[0] = 1;
  body.writeUInt32BE(timescale, 20);
  body.writeBigUInt64BE(duration, 24);
  return box('mvhd', body);
};
const big = (type: string, body: Buffer): Buffer => {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1, 0);
  header.write(type, 4, 'latin1');
  header.writeBigUInt64BE(BigInt(body.length + 16), 8);
  return Buffer.concat([header, body]);
};
const ftyp = box('ftyp', Buffer.from('isom0000'));
const mdat = (size: number) => box('mdat', Buffer.alloc(size));

async function durationOf(file: Buffer): Promise<{ seconds: number | undefined; bytes: number }> {
  let bytes = 0;
  const seconds = await mp4Duration(async (start, end) => {
    bytes += end - start + 1;
    return file.subarray(start, end + 1);
  }, file.length);
  return { seconds, bytes };
}

describe('the duration stated in an MP4 file', () => {
  it.each([
    ['moov first', [ftyp, box('moov', mvhd(1000, 30_500)), mdat(50_000)], 30.5],
    ['moov last', [ftyp, mdat(50_000), box('moov', Buffer.concat([box('udta', Buffer.alloc(20)), mvhd(600, 1200)]))], 2],
    ['64-bit times', [ftyp, box('moov', mvhd64(90_000, 8_100_000n))], 90],
    ['a large box', [ftyp, big('mdat', Buffer.alloc(9000)), box('moov', mvhd(1000, 1000))], 1],
  ])('is read with %s', async (_, boxes, seconds) => {
    const read = await durationOf(Buffer.concat(boxes));
    expect(read.seconds).toBe(seconds);
    expect(read.bytes).toBeLessThan(300);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no moov', Buffer.concat([ftyp, mdat(100)])],
    ['a cut moov', Buffer.concat([ftyp, box('moov', mvhd(1000, 1000)).subarray(0, 12)])],
    ['a box of no size', Buffer.concat([ftyp, Buffer.from([0, 0, 0, 4, 1, 1, 1, 1])])],
    ['no duration', Buffer.concat([ftyp, box('moov', mvhd(0, 0))])],
  ])('is undefined in %s', async (_, file) => {
    expect((await durationOf(file)).seconds).toBeUndefined();
  });

  it.each([
    ['no timescale', box('moov', mvhd(0, 5))],
    ['no time', box('moov', mvhd(1000, 0))],
    ['an mvhd cut within its duration', box('moov', mvhd(1000, 5_000)).subarray(0, 16 + 19)],
    ['a 64-bit mvhd cut within its duration', box('moov', mvhd64(1000, 5_000n)).subarray(0, 16 + 31)],
    ['an mvhd outside moov', Buffer.concat([mvhd(1000, 5_000), box('moov', box('udta', Buffer.alloc(8)))])],
    ['a header cut after 7 bytes', ftyp.subarray(0, 7)],
    ['a large box smaller than its header', Buffer.concat([big('mdat', Buffer.alloc(0)).fill(0, 8, 16), box('moov', mvhd(1000, 1000))])],
  ])('is undefined with %s', async (_, file) => {
    expect((await durationOf(file)).seconds).toBeUndefined();
  });

  it.each([[box('moov', mvhd(1000, 5_000)).subarray(0, 16 + 20)], [box('moov', mvhd64(1000, 5_000n)).subarray(0, 16 + 32)]])(
    'is read from an mvhd that is cut after it',
    async (file) => {
      expect((await durationOf(file)).seconds).toBe(5);
    },
  );

  it('is read from a box that extends to the end of the file', async () => {
    const open = box('moov', mvhd(1000, 2_000));
    open.writeUInt32BE(0, 0);
    expect((await durationOf(Buffer.concat([ftyp, open]))).seconds).toBe(2);
  });
});
