import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { RECORDING, VIDEO } from '../kernel/samples.js';
import { organizationId, roomId, text, timestamp } from '../kernel/ids.js';
import { queryIntegerOr } from '../kernel/query.js';
import { roomIdParams } from '../room/room.operations.js';

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
  size: z
    .number()
    .int()
    .min(1)
    .max(50 * GIB),
  contentType: z.string().regex(/^(video|audio)\/[A-Za-z0-9.+-]{1,100}$/, 'must be a video or audio type such as video/mp4'),
  /** `hls`: adaptive streaming. `mp4`: one file, unchanged if browsers can play it. */
  playback: playback.default('hls'),
});

export const createdVideo = z.object({
  videoId: z.string(),
  /** An upload that already exists: HEAD reports its offset, PATCH continues it (tus 1.0). */
  upload: z.object({ protocol: z.literal('tus'), url: z.string(), expiresAt: timestamp }),
});

export const video = z.object({
  videoId: z.string(),
  title: z.string(),
  fileName: z.string(),
  /** Size of the source in bytes. */
  size: z.number().int(),
  status: videoStatus,
  progress: z.number().int(),
  type: playback.nullable(),
  /** Seconds; null until known. */
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
  /** WebVTT text. */
  content: text(500_000),
});
export const videoCaptions = z.object({ videoId: z.string(), captions: z.array(caption) });

export const createVideo = defineOperation({
  operationId: 'createVideo',
  summary: 'Create video',
  description: 'Creates a video and returns its upload URL.',
  tag: 'Videos',
  sdk: 'videos.create',
  route: 'POST /v1/cdn/videos',
  auth: 'organization',
  scope: 'videos:write',
  service: 'media',
  rpc: 'video.create',
  body: createVideoBody,
  output: createdVideo,
  message: 'Video created',
  example: { body: { title: 'Pythagoras, a proof', fileName: 'pythagoras.mp4', size: 48_250_113, contentType: 'video/mp4' } },
  links: { videoId: '$response.body#/data/videoId' },
});

export const listVideos = defineOperation({
  operationId: 'listVideos',
  summary: 'List videos',
  description: 'Returns the organization’s videos, newest first.',
  tag: 'Videos',
  sdk: 'videos.list',
  route: 'GET /v1/cdn/videos',
  auth: 'organization',
  scope: 'videos:read',
  service: 'media',
  rpc: 'video.list',
  query: z.object({ cursor: z.string().max(256).optional(), limit: queryIntegerOr(20, { min: 1, max: 100 }) }),
  input: z.object({ organizationId, cursor: z.string().optional(), limit: z.number().int() }),
  output: videoPage,
  message: 'Videos',
  example: { query: { limit: 20 } },
});

export const deleteVideo = defineOperation({
  operationId: 'deleteVideo',
  summary: 'Delete video',
  description: 'Deletes a video with all its files and stops its upload or transcoding.',
  tag: 'Videos',
  sdk: 'videos.delete',
  route: 'DELETE /v1/cdn/videos/:videoId',
  auth: 'organization',
  scope: 'videos:write',
  service: 'media',
  rpc: 'video.delete',
  params: videoParams,
  output: z.object({ videoId: z.string(), deletedAt: timestamp }),
  message: 'Video deleted',
  errors: ['VIDEO_NOT_FOUND'],
  example: { params: VIDEO },
});

export const getVideoUrl = defineOperation({
  operationId: 'getVideoUrl',
  summary: 'Get video URL',
  description: 'Returns signed playback and poster URLs, valid for one hour.',
  tag: 'Videos',
  sdk: 'videos.url',
  route: 'GET /v1/cdn/videos/:videoId/url',
  auth: 'organization',
  scope: 'videos:read',
  service: 'media',
  rpc: 'video.url',
  params: videoParams,
  output: videoUrl,
  errors: ['VIDEO_NOT_FOUND'],
  example: { params: VIDEO },
});

export const getVideoStatus = defineOperation({
  operationId: 'getVideoStatus',
  summary: 'Get video status',
  description: 'Returns the status and the transcoding progress of a video.',
  tag: 'Videos',
  sdk: 'videos.get',
  route: 'GET /v1/cdn/videos/:videoId/status',
  auth: 'organization',
  scope: 'videos:read',
  service: 'media',
  rpc: 'video.status',
  params: videoParams,
  output: videoProgress,
  errors: ['VIDEO_NOT_FOUND'],
  example: { params: VIDEO },
});

export const addCaption = defineOperation({
  operationId: 'addCaption',
  summary: 'Add caption',
  description: 'Attaches a WebVTT track. A track of the same language is replaced. A video has at most 100 tracks.',
  tag: 'Videos',
  sdk: 'videos.addCaption',
  route: 'POST /v1/cdn/videos/:videoId/captions',
  auth: 'organization',
  scope: 'videos:write',
  service: 'media',
  rpc: 'video.add-caption',
  params: videoParams,
  body: addCaptionBody,
  output: videoCaptions,
  message: 'Captions attached',
  errors: ['VIDEO_NOT_FOUND'],
  example: {
    params: VIDEO,
    body: {
      language: 'en',
      label: 'English',
      isDefault: true,
      content: 'WEBVTT\n\n00:00.000 --> 00:04.000\nLet us begin with a right triangle.\n',
    },
  },
});

export const publishRecording = defineOperation({
  operationId: 'publishRecording',
  summary: 'Publish recording',
  description: 'Creates a video from a finished recording. Publishing the same recording again returns the same video.',
  tag: 'Recordings',
  sdk: 'recordings.publish',
  route: 'POST /v1/room/:roomId/recordings/:recordingId/publish',
  auth: 'organization',
  scope: 'recordings:write',
  service: 'media',
  rpc: 'video.publish',
  timeoutMs: 25_000,
  params: roomIdParams.extend({
    recordingId: z.string().regex(/^rec_EG_[A-Za-z0-9]{8,64}$/, 'must be a recording id such as rec_EG_…'),
  }),
  input: z.object({ organizationId, roomId, recordingId: z.string() }),
  output: videoProgress,
  message: 'Recording published',
  errors: ['ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED'],
  example: { params: RECORDING },
});
