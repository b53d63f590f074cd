import type { Body, Query } from '../operation.js';
import { Pages } from '../pages.js';
import type { RequestOptions, Transport } from '../transport.js';

/** Stored videos. */
export class Videos {
  constructor(private readonly api: Transport) {}

  /** Announces a file; it is sent to `upload.url` by any tus client. */
  create = (video: Body<'createVideo'>, options?: RequestOptions) => this.api.call('createVideo', { body: video }, options);

  /** All videos, newest first. */
  list = (query: Query<'listVideos'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listVideos', { query: { ...query, cursor } }, options), ({ videos }) => videos, ({ nextCursor }) => nextCursor);

  /** How far it is on its way from upload to playback. */
  get = (videoId: string, options?: RequestOptions) => this.api.call('getVideoStatus', { params: { videoId } }, options);

  /** A signed address that plays for an hour; null until it is completed. */
  url = (videoId: string, options?: RequestOptions) => this.api.call('getVideoUrl', { params: { videoId } }, options);

  addCaption = (videoId: string, caption: Body<'addCaption'>, options?: RequestOptions) =>
    this.api.call('addCaption', { params: { videoId }, body: caption }, options);

  delete = (videoId: string, options?: RequestOptions) => this.api.call('deleteVideo', { params: { videoId } }, options);
}
