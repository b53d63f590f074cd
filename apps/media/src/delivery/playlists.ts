import type { Caption } from '../stored/captions.repository.js';
import type { TranscodingResult } from '../schema/video.entity.js';

const GROUP = 'captions';

/** The multivariant playlist of RFC 8216, generated per request so that it contains captions that were added later. */
export function masterPlaylist({ renditions }: TranscodingResult, captions: readonly Caption[]): string {
  const names = namesOf(captions);
  const subtitles = captions.map((caption, index) => {
    const isDefault = caption.isDefault ? 'YES' : 'NO';
    return (
      `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="${GROUP}",NAME="${names[index]}",LANGUAGE="${caption.language}",` +
      `DEFAULT=${isDefault},AUTOSELECT=YES,FORCED=NO,URI="${GROUP}/${caption.language.toLowerCase()}.m3u8"`
    );
  });
  const variants = renditions.flatMap(({ width, height, bandwidth, codecs, playlist }) => {
    const attributes = [`BANDWIDTH=${Math.ceil(bandwidth)}`, `CODECS="${codecs}"`];
    if (height > 0) attributes.push(`RESOLUTION=${width}x${height}`);
    if (captions.length > 0) attributes.push(`SUBTITLES="${GROUP}"`);
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, playlist];
  });
  return lines(['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS', ...subtitles, ...variants]);
}

/** A playlist with one segment, the whole track. @param duration of the video, in seconds */
export function captionPlaylist({ language }: Caption, duration: number): string {
  return lines([
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(duration))}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${duration.toFixed(3)},`,
    `${language.toLowerCase()}.vtt`,
    '#EXT-X-ENDLIST',
  ]);
}

const lines = (all: string[]) => `${all.join('\n')}\n`;

/** Names for the playlist: RFC 8216 allows no quotes or line ends in a name, and no name twice in a group. */
function namesOf(captions: readonly Caption[]): string[] {
  const labels = captions.map(({ label }) => label.replaceAll('"', '’').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));
  return labels.map((label, index) =>
    labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${label} (${captions[index]?.language})`,
  );
}
