const TIMESCALE = 1_000;
/** Bytes of a version 0 movie header (ISO/IEC 14496-12, 8.2.2), and the offsets of its two numbers. */
const MVHD = { bytes: 100, timescaleAt: 12, durationAt: 16 };

/** An MP4 file with the given duration in its header and the given number of media bytes. Adjacent media bytes always differ. */
export function makeFilm({ seconds, mediaBytes = 4_000 }: { seconds: number; mediaBytes?: number }): Buffer {
  const header = Buffer.alloc(MVHD.bytes);
  header.writeUInt32BE(TIMESCALE, MVHD.timescaleAt);
  header.writeUInt32BE(Math.round(seconds * TIMESCALE), MVHD.durationAt);
  const media = Buffer.from(Uint8Array.from({ length: mediaBytes }, (_, at) => at % 251));
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\x01isommp42')), box('moov', box('mvhd', header)), box('mdat', media)]);
}

function box(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(header.length + body.length, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}
