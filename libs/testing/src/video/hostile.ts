import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { withBody } from './boxes.js';
import { ffmpeg } from './ffmpeg.js';
import { makeSource } from './sources.js';

export interface HostileFile {
  name: string;
  path: string;
  /** The content type that the uploader claims. */
  contentType: string;
  /** Seconds that can be played after all; null: the file must be refused. */
  plays: number | null;
}

/**
 * What must not be reached: a playable file on the worker's machine, and the same file over HTTP. A decoder that follows a
 * reference to it produces a film.
 */
export interface Canary {
  /** Absolute path. */
  file: string;
  url: string;
}

/** Valid films with a false header, and their true length in seconds. */
const FALSE_HEADERS: Record<string, number> = { 'many-years.webm': 1 };
const BOMB_BYTES = 64 * 1024 * 1024;

/** Files that are not videos, or that make the program that opens them access something else. */
export async function makeHostileFiles(folder: string, canary: Canary): Promise<HostileFile[]> {
  mkdirSync(folder, { recursive: true });
  const film = readFileSync((await makeSource(folder, 'mp4-faststart', 1)).path);
  const unindexed = readFileSync((await makeSource(folder, 'mov-index-last', 2)).path);
  const contents: Record<string, string | Buffer> = {
    ...referring(canary),
    'playlist-bomb.mp4': playlistBomb(),
    'truncated.mov': unindexed.subarray(0, Math.floor(unindexed.length * 0.6)),
    'zeros.mp4': Buffer.alloc(200_000),
    'random.mp4': randomBytes(200_000),
    'one-byte.mp4': 'x',
    'text.mp4': 'Dear teacher, the dog ate my video.\n'.repeat(50),
    'page.mp4': `<!doctype html><html><body><video src="${canary.url}" autoplay></video></body></html>`,
    'bomb.zip.mp4': zipOf(Buffer.alloc(BOMB_BYTES)),
    'film.gz.mp4': gzipSync(film),
    'huge-picture.y4m': Buffer.concat([Buffer.from('YUV4MPEG2 W60000 H60000 F25:1 Ip A1:1 C420jpeg\nFRAME\n'), Buffer.alloc(50_000)]),
    'huge-image.png': hugePng(),
    'many-years.webm': await longClaim(folder),
    'two-frames-a-day-apart.mp4': await dayApart(folder),
    'elsewhere.mp4': referringBox(film, canary),
    'giant-header.wav': giantWav(),
    'tags-only.mp3': tagsOnly(),
    'subtitles.mp4': '1\n00:00:00,000 --> 00:00:04,000\nNo picture, no sound\n',
  };
  return Object.entries(contents).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return { name, path, contentType: /\.(wav|mp3)$/.test(name) ? 'audio/mpeg' : 'video/mp4', plays: FALSE_HEADERS[name] ?? null };
  });
}

/** Text that ffmpeg accepts as a list of other locations. */
function referring({ file, url }: Canary): Record<string, string> {
  const playlist = (...lines: string[]) =>
    ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:4', '#EXT-X-PLAYLIST-TYPE:VOD', ...lines, '#EXT-X-ENDLIST', ''].join('\n');
  return {
    'playlist-file.mp4': playlist('#EXTINF:4,', `file://${file}`),
    'playlist-path.ts': playlist('#EXTINF:4,', file),
    'playlist-http.mp4': playlist('#EXTINF:4,', url),
    'playlist-key.mp4': playlist(`#EXT-X-KEY:METHOD=AES-128,URI="${url}"`, '#EXTINF:4,', `concat:${file}|${file}`),
    'concat-file.mp4': `ffconcat version 1.0\nfile '${file}'\nduration 4\n`,
    'concat-http.mp4': `ffconcat version 1.0\nfile '${url}'\nduration 4\n`,
    'image.svg': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="640" height="360"><image width="640" height="360" xlink:href="${url}"/><image xlink:href="file://${file}"/></svg>`,
    'session.sdp': `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    'manifest.mpd': `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp2t"><Representation id="1" bandwidth="100000"><BaseURL>${url}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  };
}

/** A list with a thousand variants, each of which is the same list. */
function playlistBomb(): string {
  const variants = Array.from({ length: 1_000 }, (_, at) => `#EXT-X-STREAM-INF:BANDWIDTH=${at + 1}\nsource?${at}`);
  return ['#EXTM3U', ...variants, ''].join('\n');
}

/** One entry, deflated (APPNOTE 4.3.7), without the directory at the end, which a reader from the start does not need. */
function zipOf(content: Buffer): Buffer {
  const packed = deflateRawSync(content, { level: 9 });
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(5, 26);
  return Buffer.concat([header, Buffer.from('a.mp4'), packed]);
}

function hugePng(): Buffer {
  const side = 60_000;
  const chunk = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(BOMB_BYTES))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A valid film whose header claims thirty years. */
async function longClaim(folder: string): Promise<Buffer> {
  const file = readFileSync((await makeSource(folder, 'webm-vp9', 1)).path);
  // Matroska's Duration: its id, then an eight-byte float in milliseconds.
  const at = file.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  if (at < 0) throw new Error('no duration in the film');
  file.writeDoubleBE(30 * 365 * 86_400_000, at + 3);
  return file;
}

async function dayApart(folder: string): Promise<Buffer> {
  const path = join(folder, 'day-apart.mp4');
  await ffmpeg([
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x240:rate=1:duration=2',
    '-vf',
    'settb=1/1000,setpts=N*86400000',
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1/1000',
    '-c:v',
    'libx264',
    '-bf',
    '0',
    path,
  ]);
  return readFileSync(path);
}

/** A film without its media, with a reference to the canary as the location of its media. */
function referringBox(film: Buffer, { file }: Canary): Buffer {
  const moov = film.subarray(0, film.indexOf('mdat', 0, 'latin1') - 4);
  const location = Buffer.concat([Buffer.alloc(4), Buffer.from(`file://${file}\0`)]);
  return withBody(Buffer.from(moov), 'moov/trak/mdia/minf/dinf/dref/url ', location);
}

function giantWav(): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(0xffff_ffff, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(0xffff, 22);
  header.writeUInt32LE(0xffff_ffff, 24);
  header.writeUInt32LE(0xffff_ffff, 28);
  header.writeUInt16LE(0xffff, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(0xffff_ffff, 40);
  return Buffer.concat([header, Buffer.alloc(10_000)]);
}

/** ID3v2.4 with one long comment, and no sound after it. */
function tagsOnly(): Buffer {
  const comment = Buffer.alloc(20_000, 'a');
  const synchsafe = (value: number) => Buffer.from([value >> 21, (value >> 14) & 127, (value >> 7) & 127, value & 127]);
  const frame = Buffer.concat([Buffer.from('TXXX'), synchsafe(comment.length), Buffer.alloc(2), comment]);
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), synchsafe(frame.length), frame]);
}
