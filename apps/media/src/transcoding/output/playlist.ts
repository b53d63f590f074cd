import { largestOf } from '@classroom/contracts';

export interface Segment {
  name: string;
  /** Seconds. */
  duration: number;
}

/** The segments of a variant's playlist. */
export function segmentsOf(playlist: string): Segment[] {
  return [...playlist.matchAll(/^#EXTINF:([\d.]+),.*\r?\n([^#\r\n]+)$/gm)].map(([, duration, name = '']) => ({
    name,
    duration: Number(duration),
  }));
}

/** ffmpeg rounds the target duration of a very short video to 0, with which players poll or refuse the playlist. RFC 8216: at least each segment's, rounded. */
export function withTargetDuration(playlist: string): string {
  const longest = largestOf([1, ...segmentsOf(playlist).map(({ duration }) => Math.round(duration))]);
  return playlist.replace(/^#EXT-X-TARGETDURATION:\d+$/m, `#EXT-X-TARGETDURATION:${longest}`);
}

export const durationOf = (segments: Segment[]) => segments.reduce((sum, { duration }) => sum + duration, 0);

/**
 * Bits per second of the heaviest segment. The last segment may be so short that its keyframe makes it heavy, which no player ever
 * notices: segments shorter than two seconds count only if all are.
 */
export function peakBitrate(segments: Segment[], sizeOf: (name: string) => number): number {
  const long = segments.filter(({ duration }) => duration >= 2);
  const rates = (long.length > 0 ? long : segments).map(({ name, duration }) => (sizeOf(name) * 8) / Math.max(duration, 0.1));
  return Math.ceil(largestOf([1, ...rates]));
}

const AAC = 'mp4a.40.2';

/** The codecs' names by RFC 6381, read from an MP4's header. */
export function codecsOf(header: Buffer, hasAudio: boolean): string {
  const at = header.indexOf('avcC');
  // The box's content begins with version, profile, compatibility and level.
  const avc = at < 0 ? [] : [`avc1.${header.subarray(at + 5, at + 8).toString('hex')}`];
  return [...avc, ...(hasAudio ? [AAC] : [])].join(',');
}
