export const TRANSCODING_QUEUE = 'transcoding';

export interface TranscodingJob {
  videoId: string;
}
