/**
 * What ffmpeg may do with an untrusted file: read it as one of these containers with these decoders, and nothing else. Do not
 * list a demuxer that opens another file or address (a playlist, a list to concatenate, an image sequence).
 */
export interface AllowedInput {
  /** Names of demuxers. */
  formats: readonly string[];
  decoders: readonly string[];
}

/** The demuxer gives up above this number of streams. Up to it we can report how many there are. */
const MAX_STREAMS = 1_000;

/**
 * The options before each `-i`.
 * @param file an absolute path
 * @param side maximum width and height in pixels, also for later parts of the stream
 */
export function inputOptions({ formats, decoders }: AllowedInput, file: string, side: number): string[] {
  const whitelists = ['-protocol_whitelist', 'file', '-format_whitelist', formats.join(','), '-codec_whitelist', decoders.join(',')];
  const limits = `-max_streams ${MAX_STREAMS} -max_pixels ${side * side} -probesize 20M -analyzeduration 20M`;
  return [...whitelists, ...limits.split(' '), '-i', `file:${file}`];
}

/**
 * The options for ffprobe. Unlike ffmpeg, it opens a decoder for every stream, also for those that are not used, and ends without a
 * result if the list forbids one. So it may open (not run) any decoder; only the allowed ones get data, as in ffmpeg.
 * @param installed names of all decoders of this ffprobe
 */
export function probeOptions(allowed: AllowedInput, file: string, side: number, installed: Iterable<string>): string[] {
  const all = [...installed].join(',');
  const options = inputOptions(allowed, file, side);
  // The container's reader, which decodes the first frames of each stream, ignores lists for a type and so follows the strict one. What
  // ffprobe opens itself follows the last list that applies.
  const opened = ['v', 'a', 's', 'd', 't'].flatMap((type) => [`-codec_whitelist:${type}`, all]);
  return ['-strict', 'experimental', ...options.slice(0, -2), ...opened, ...options.slice(-2)];
}

/** Names of the installed decoders with the codec of each. @param listing the output of `ffprobe -decoders` */
export function decodersOf(listing: string): Map<string, string> {
  return new Map(
    [...listing.matchAll(/^ [VAS][A-Z.]{5} (\S+) +(.*)$/gm)].map(([, name = '', text = '']) => [
      name,
      /\(codec (\S+)\)$/.exec(text)?.[1] ?? name,
    ]),
  );
}
