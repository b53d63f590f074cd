export interface Rendition {
  /** Of the picture; 0 for sound alone. */
  width: number;
  height: number;
  /** Bits a second, at most, of picture and sound. */
  bandwidth: number;
  codecs: string;
  /** The variant's playlist, below the attempt's prefix. */
  playlist: string;
}

/** What a finished attempt left. Paths are below `attemptPrefixOf`. */
export interface TranscodingResult {
  type: 'hls' | 'mp4';
  /** `master.m3u8` or the single file. */
  entry: string;
  /** Seconds of the source. */
  duration: number;
  hasVideo: boolean;
  hasAudio: boolean;
  renditions: Rendition[];
  poster: string | null;
}
