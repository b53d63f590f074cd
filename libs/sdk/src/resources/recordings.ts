import type { Body } from '../operation.js';
import type { RequestOptions, Transport } from '../transport.js';

/** Films of classes. */
export class Recordings {
  constructor(private readonly api: Transport) {}

  /** Begins to film a live class. */
  start = (roomId: string, how: Body<'startRecording'> = {}, options?: RequestOptions) =>
    this.api.call('startRecording', { params: { roomId }, body: how }, options);

  stop = (roomId: string, which: Body<'stopRecording'> = {}, options?: RequestOptions) =>
    this.api.call('stopRecording', { params: { roomId }, body: which }, options);

  list = (roomId: string, options?: RequestOptions) => this.api.call('listRecordings', { params: { roomId } }, options);

  /** Signed addresses of the files, as long as they are kept. */
  downloads = (roomId: string, options?: RequestOptions) => this.api.call('downloadRecordings', { params: { roomId } }, options);

  /** Makes a stored video of it, which stays. */
  publish = (roomId: string, recordingId: string, options?: RequestOptions) =>
    this.api.call('publishRecording', { params: { roomId, recordingId } }, options);
}
