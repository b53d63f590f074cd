import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { text, timestamp } from '../kernel/ids.js';
import { queryIntegerOr } from '../kernel/query.js';
import { roomIdParams } from '../room/room.http.js';

const GIB = 1024 ** 3;

export const videoId = z.string().regex(/^vid_[A-Za-z0-9]{20}$/, 'must be a video id such as vid_…');
const videoParams = z.object({ videoId });

export const videoStatus = z.enum(['pending', 'processing', 'completed', 'failed']);
export type VideoStatus = z.infer<typeof videoStatus>;
export const playback = z.enum(['hls', 'mp4']);

export const createVideoBody = z.object({
  title: text(256),
  fileName: text(256),
  /** Bytes of the file that will be uploaded. */
  size: z.number().int().min(1).max(50 * GIB),
  contentType: z.string().regex(/^(video|audio)\/[A-Za-z0-9.+-]{1,100}$/, 'must be a video or audio type such as video/mp4'),
  /** `hls`: adaptive streaming; `mp4`: one file, as it came where browsers play it. */
  playback: playback.default('hls'),
});

export const createdVideo = z.object({
  videoId: z.string(),
  /** An upload that exists already: HEAD tells how far it is, PATCH goes on (tus 1.0). */
  upload: z.object({ protocol: z.literal('tus'), url: z.string(), expiresAt: timestamp }),
});

export const video = z.object({
  videoId: z.string(),
  title: z.string(),
  fileName: z.string(),
  /** Bytes of the source. */
  size: z.number().int(),
  status: videoStatus,
  progress: z.number().int(),
  type: playback.nullable(),
  /** Seconds; null until it is known. */
  duration: z.number().int().nullable(),
  createdAt: timestamp,
  message: z.string().optional(),
});

export const videoPage = z.object({ videos: z.array(video), nextCursor: z.string().nullable() });

export const videoUrl = z.object({
  type: playback.nullable(),
  url: z.string().nullable(),
  posterUrl: z.string().nullable(),
  status: videoStatus,
  message: z.string().optional(),
});

export const videoProgress = z.object({
  videoId: z.string(),
  status: videoStatus,
  progress: z.number().int(),
  createdAt: timestamp,
  message: z.string().optional(),
});

export const caption = z.object({ language: z.string(), label: z.string(), isDefault: z.boolean() });
export const addCaptionBody = z.object({
  /** BCP 47, such as `en` or `pt-BR`. */
  language: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as en or pt-BR'),
  label: text(64),
  isDefault: z.boolean().default(false),
  /** WebVTT. */
  content: text(500_000),
});
export const videoCaptions = z.object({ videoId: z.string(), captions: z.array(caption) });

const REFUSALS = ['VALIDATION_FAILED', 'UNAUTHORIZED', 'VIDEO_NOT_FOUND'] as const;

export const createVideo = defineEndpoint({
  operationId: 'createVideo',
  summary: 'Announce a video and get where to upload it',
  method: 'POST',
  path: '/v1/cdn/videos',
  auth: 'organization',
  body: createVideoBody,
  response: envelope(createdVideo),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'SERVICE_UNAVAILABLE'],
});

export const listVideos = defineEndpoint({
  operationId: 'listVideos',
  summary: 'An organization’s videos, newest first',
  method: 'GET',
  path: '/v1/cdn/videos',
  auth: 'organization',
  query: z.object({ cursor: z.string().max(256).optional(), limit: queryIntegerOr(20, { min: 1, max: 100 }) }),
  response: envelope(videoPage),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED'],
});

export const deleteVideo = defineEndpoint({
  operationId: 'deleteVideo',
  summary: 'Delete a video with everything of it; what is under way is stopped',
  method: 'DELETE',
  path: '/v1/cdn/videos/:videoId',
  auth: 'organization',
  params: videoParams,
  response: envelope(z.object({ videoId: z.string(), deletedAt: timestamp })),
  errors: REFUSALS,
});

export const getVideoUrl = defineEndpoint({
  operationId: 'getVideoUrl',
  summary: 'Signed playback and poster URLs, valid for an hour',
  method: 'GET',
  path: '/v1/cdn/videos/:videoId/url',
  auth: 'organization',
  params: videoParams,
  response: envelope(videoUrl),
  errors: REFUSALS,
});

export const getVideoStatus = defineEndpoint({
  operationId: 'getVideoStatus',
  summary: 'How far a video’s transcoding is',
  method: 'GET',
  path: '/v1/cdn/videos/:videoId/status',
  auth: 'organization',
  params: videoParams,
  response: envelope(videoProgress),
  errors: REFUSALS,
});

export const addCaption = defineEndpoint({
  operationId: 'addCaption',
  summary: 'Attach a WebVTT track; the same language again replaces it; at most 100 tracks',
  method: 'POST',
  path: '/v1/cdn/videos/:videoId/captions',
  auth: 'organization',
  params: videoParams,
  body: addCaptionBody,
  response: envelope(videoCaptions),
  errors: REFUSALS,
});

export const publishRecording = defineEndpoint({
  operationId: 'publishRecording',
  summary: 'Make a finished recording a video; the same recording again answers the same video',
  method: 'POST',
  path: '/v1/room/:roomId/recordings/:recordingId/publish',
  auth: 'organization',
  params: roomIdParams.extend({
    recordingId: z.string().regex(/^rec_EG_[A-Za-z0-9]{8,64}$/, 'must be a recording id such as rec_EG_…'),
  }),
  response: envelope(videoProgress),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED'],
});
