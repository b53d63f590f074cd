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
