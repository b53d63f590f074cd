export interface Rendition {
  /** Pixels of the picture; 0 for audio only. */
  width: number;
  height: number;
  /** Maximum bits per second of video and audio together. */
  bandwidth: number;
  codecs: string;
  /** Path of the variant's playlist below the attempt's prefix. */
  playlist: string;
}

/** The output of a finished attempt. Paths are relative to `attemptPrefixOf`. */
export interface TranscodingResult {
  type: 'hls' | 'mp4';
  /** `master.m3u8`, or the name of the single file. */
  entry: string;
  /** Duration of the output in seconds. */
  duration: number;
  /** Size of all its files. Absent in results of earlier releases. */
  bytes?: number;
  hasVideo: boolean;
  hasAudio: boolean;
  renditions: Rendition[];
  poster: string | null;
}
