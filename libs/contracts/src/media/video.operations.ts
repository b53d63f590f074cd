import { z } from 'zod';
import { cursor, queryIntegerOr, shown } from '../kernel/fields.js';
import { defineOperation } from '../kernel/operation.js';
import { NAMES, RECORDING, VIDEO } from '../kernel/reference.js';
import { organizationId, roomId, text, timestamp } from '../kernel/values.js';
import { mediaType } from '../kernel/content.js';
import { roomIdParams } from '../room/room.operations.js';

const GIB = 1024 ** 3;

export const videoId = z.string().regex(/^vid_[A-Za-z0-9]{20}$/, 'must be a video id such as vid_…');
const videoParams = z.object({ videoId: videoId.describe('Id of the video, `vid_` and 20 characters.') });

export const videoStatus = z.enum(['pending', 'processing', 'completed', 'failed']);
export type VideoStatus = z.infer<typeof videoStatus>;
export const playback = z.enum(['hls', 'mp4']);

const shownStatus = videoStatus.describe(
  '`pending`: the upload or the transcoding has not begun. `processing`: it is being transcoded. `completed`: it can be played. `failed`: it never will be.',
);
const shownProgress = z.number().int().describe('Progress of the transcoding in percent, 0 to 100.');

export const createVideoBody = z.object({
  title: text(256).describe('Display title, 1 to 256 characters.'),
  fileName: text(256).describe('Name of the file, 1 to 256 characters.'),
  size: z
    .number()
    .int()
    .min(1)
    .max(50 * GIB)
    .describe('Bytes of the file that will be uploaded: 1 to 53,687,091,200 (50 GiB).'),
  contentType: mediaType(['video', 'audio'], 'must be a video or audio type such as video/mp4').describe(
    'Media type of the file, such as `video/mp4`. Parameters are ignored.',
  ),
  playback: playback
    .default('hls')
    .describe('`hls`: adaptive streaming. `mp4`: one file, unchanged if browsers can play it. Default: `hls`.'),
});

export const createdVideo = z
  .object({
    videoId: z.string().describe('Id of the video.'),
    upload: z
      .object({
        protocol: z.literal('tus').describe('The upload protocol, always `tus`.'),
        url: z.string().describe('Address of the upload. A secret: it needs no other credential.'),
        expiresAt: timestamp.describe('When an unfinished upload is deleted.'),
      })
      .describe('The upload, which already exists: HEAD reports its offset, PATCH continues it (tus 1.0).'),
  })
  .register(NAMES, { id: 'CreatedVideo', description: 'A new video and its upload.' });

export const video = z
  .object({
    videoId: z.string().describe('Id of the video.'),
    title: z.string().describe('Display title.'),
    fileName: z.string().describe('Name of the uploaded file.'),
    size: z.number().int().describe('Size of the source in bytes.'),
    status: shownStatus,
    progress: shownProgress,
    type: playback.nullable().describe('Form of the stream; null until it is known.'),
    duration: z.number().int().nullable().describe('Length in seconds; null until it is known.'),
    createdAt: timestamp.describe('When the video was created.'),
    message: z.string().optional().describe('Why the video failed or waits. Present if there is something to say.'),
  })
  .register(NAMES, { id: 'Video', description: 'A stored video.' });

export const videoUsage = z
  .object({
    bytes: z
      .number()
      .int()
      .describe('Bytes that videos and documents occupy: uploads with the size that they declare, and the files that are made of them.'),
    maxBytes: z.number().int().describe('Bytes that they may occupy.'),
    minutes: z.number().int().describe('Minutes of videos that were transcoded in this calendar month (UTC), rounded up.'),
    maxMinutes: z.number().int().describe('Minutes that may be transcoded in a month.'),
  })
  .register(NAMES, { id: 'VideoUsage', description: 'What an organization uses of its quotas.' });

export const videoPage = z.object({
  videos: z.array(video).max(100).describe('The videos, newest first.'),
  nextCursor: shown.nextCursor,
  usage: videoUsage.optional().describe('What the organization uses of its quotas. Only on the first page.'),
});

export const videoUrl = z
  .object({
    type: playback.nullable().describe('Form of the stream: `hls` is a playlist, `mp4` one file; null until the video is ready.'),
    url: z.string().nullable().describe('Signed playback address, valid for about an hour; null until the video is ready.'),
    posterUrl: z.string().nullable().describe('Signed address of the poster image, valid for about an hour; null if there is none.'),
    status: shownStatus,
    message: z.string().optional().describe('Why the video cannot be played. Present if there is something to say.'),
  })
  .register(NAMES, { id: 'VideoUrl', description: 'Signed addresses to play a video.' });

export const videoProgress = z
  .object({
    videoId: z.string().describe('Id of the video.'),
    status: shownStatus,
    progress: shownProgress,
    createdAt: timestamp.describe('When the video was created.'),
    message: z.string().optional().describe('Why the video failed or waits. Present if there is something to say.'),
  })
  .register(NAMES, { id: 'VideoProgress', description: 'Status and transcoding progress of a video.' });

/** Of a video, one per language. */
export const MAX_CAPTION_TRACKS = 100;

export const caption = z
  .object({
    language: z.string().describe('Language of the track, a BCP 47 tag such as `en`.'),
    label: z.string().describe('Name of the track in the player.'),
    isDefault: z.boolean().describe('Whether the player shows this track at first.'),
  })
  .register(NAMES, { id: 'Caption', description: 'A caption track of a video.' });
export const addCaptionBody = z.object({
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as en or pt-BR')
    .describe('Language of the track, a BCP 47 tag such as `en` or `pt-BR`. A track of the same language is replaced.'),
  label: text(64).describe('Name of the track in the player, 1 to 64 characters.'),
  isDefault: z.boolean().default(false).describe('Whether the player shows this track at first. Default: `false`.'),
  content: text(500_000).describe('The captions as WebVTT, at most 500,000 characters.'),
});
export const videoCaptions = z
  .object({
    videoId: z.string().describe('Id of the video.'),
    captions: z.array(caption).max(MAX_CAPTION_TRACKS).describe('All tracks of the video.'),
  })
  .register(NAMES, { id: 'VideoCaptions', description: 'The caption tracks of a video.' });

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
  errors: ['QUOTA_EXCEEDED'],
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
  dashboardRole: 'MEMBER',
  service: 'media',
  rpc: 'video.list',
  query: z.object({ cursor: cursor, limit: queryIntegerOr(20, { min: 1, max: 100 }).describe('Videos per page, 1 to 100. Default: 20.') }),
  input: z.object({ organizationId, cursor: z.string().optional(), limit: z.number().int().min(1).max(100) }),
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
  audit: 'recorded',
  service: 'media',
  rpc: 'video.delete',
  params: videoParams,
  output: z.object({ videoId: z.string().describe('Id of the video.'), deletedAt: timestamp.describe('When the video was deleted.') }),
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
  dashboardRole: 'MEMBER',
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
  errors: ['VIDEO_NOT_FOUND', 'QUOTA_EXCEEDED'],
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
  audit: 'recorded',
  service: 'media',
  rpc: 'video.publish',
  timeoutMs: 25_000,
  params: roomIdParams.extend({
    recordingId: z
      .string()
      .regex(/^rec_EG_[A-Za-z0-9]{8,64}$/, 'must be a recording id such as rec_EG_…')
      .describe('Id of the recording, `rec_EG_…`.'),
  }),
  input: z.object({ organizationId, roomId, recordingId: z.string() }),
  output: videoProgress,
  message: 'Recording published',
  errors: ['ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED', 'QUOTA_EXCEEDED'],
  example: { params: RECORDING },
});
