import { z } from 'zod';
import { organizationId, roomId } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import {
  addCaptionBody,
  createdVideo,
  createVideoBody,
  videoCaptions,
  videoId,
  videoPage,
  videoProgress,
  videoUrl,
} from './video.http.js';

const service = 'media' as const;
const noun = 'video';
const ofVideo = z.object({ organizationId, videoId });

export const videoRpc = {
  create: defineRpc({ service, noun, verb: 'create', input: createVideoBody.extend({ organizationId }), output: createdVideo }),
  list: defineRpc({
    service,
    noun,
    verb: 'list',
    input: z.object({ organizationId, cursor: z.string().optional(), limit: z.number().int() }),
    output: videoPage,
    errors: ['VALIDATION_FAILED'],
  }),
  delete: defineRpc({
    service,
    noun,
    verb: 'delete',
    input: ofVideo,
    output: z.object({ videoId: z.string(), deletedAt: z.string() }),
    errors: ['VIDEO_NOT_FOUND'],
  }),
  url: defineRpc({ service, noun, verb: 'url', input: ofVideo, output: videoUrl, errors: ['VIDEO_NOT_FOUND'] }),
  status: defineRpc({ service, noun, verb: 'status', input: ofVideo, output: videoProgress, errors: ['VIDEO_NOT_FOUND'] }),
  addCaption: defineRpc({
    service,
    noun,
    verb: 'add-caption',
    input: ofVideo.extend(addCaptionBody.shape),
    output: videoCaptions,
    errors: ['VIDEO_NOT_FOUND', 'VALIDATION_FAILED'],
  }),
  publish: defineRpc({
    service,
    noun,
    verb: 'publish',
    input: z.object({ organizationId, roomId, recordingId: z.string() }),
    output: videoProgress,
    errors: ['ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED'],
    /** The storage copies the file on its own side, which takes a while for a long film. */
    timeoutMs: 25_000,
  }),
};
