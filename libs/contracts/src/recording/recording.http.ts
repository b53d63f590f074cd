import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { timestamp } from '../kernel/ids.js';
import { roomIdParams } from '../room/room.http.js';
import { recordingLayout, recordingPreset } from './recorder.rpc.js';

export const recordingStatus = z.enum(['STARTING', 'ACTIVE', 'ENDING', 'COMPLETED', 'FAILED', 'ABORTED']);
export type RecordingStatus = z.infer<typeof recordingStatus>;

export const recordingOptions = z.object({
  showLogo: z.boolean().default(true),
  layout: recordingLayout.default('grid'),
  preset: recordingPreset.default('H264_1080P_30'),
});
export type RecordingOptions = z.infer<typeof recordingOptions>;

export const startRecordingBody = z
  .object({ options: recordingOptions.nullish().transform((options) => options ?? recordingOptions.parse({})) })
  .prefault({});
/** Any text: what is no id of the room's recordings is a 404. */
export const stopRecordingBody = z.object({ egressId: z.string().optional() }).prefault({});

export const startedRecording = z.object({
  egressId: z.string(),
  roomId: z.string(),
  /** With the `EGRESS_` prefix. */
  status: z.string(),
  startedAt: timestamp,
});
export const stoppedRecording = z.object({
  egressId: z.string(),
  status: z.string(),
  /** Seconds recorded until now. */
  duration: z.number().int(),
});

export const recording = z.object({
  recordingId: z.string(),
  roomId: z.string(),
  status: recordingStatus,
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
  /** Seconds: of the file once there is one, else recorded so far. */
  duration: z.number().int(),
});

export const recordingFile = z.object({
  /** The recording's, as in the list. */
  recordingId: z.string(),
  filename: z.string(),
  downloadUrl: z.string(),
  /** Until then `downloadUrl` opens the file; ask again for another one. */
  urlExpiresAt: timestamp,
  /** Bytes. */
  size: z.number().int(),
  duration: z.number().int(),
  startedAt: timestamp,
  endedAt: timestamp,
});

export const recordingDownloads = z.object({
  roomId: z.string(),
  files: z.array(recordingFile),
  /** Until the first file is deleted, such as `5h 42m`. */
  expiresIn: z.string(),
  /** The same as an instant: from then on the answer is 410. */
  availableUntil: timestamp,
});

export const startRecording = defineEndpoint({
  operationId: 'startRecording',
  summary: 'Record a live room',
  method: 'POST',
  path: '/v1/room/:roomId/recording/start',
  auth: 'organization',
  params: roomIdParams,
  body: startRecordingBody,
  response: envelope(startedRecording),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND', 'ROOM_NOT_LIVE', 'RECORDING_IN_PROGRESS', 'RECORDER_BUSY', 'SERVICE_UNAVAILABLE'],
});

export const stopRecording = defineEndpoint({
  operationId: 'stopRecording',
  summary: 'Stop a room’s recording and have its file made',
  method: 'POST',
  path: '/v1/room/:roomId/recording/stop',
  auth: 'organization',
  params: roomIdParams,
  body: stopRecordingBody,
  response: envelope(stoppedRecording),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'NO_ACTIVE_RECORDING'],
});

export const listRecordings = defineEndpoint({
  operationId: 'listRecordings',
  summary: 'A room’s recordings, past and current',
  method: 'GET',
  path: '/v1/room/:roomId/recordings',
  auth: 'organization',
  params: roomIdParams,
  response: envelope(z.array(recording)),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND'],
});

export const downloadRecordings = defineEndpoint({
  operationId: 'downloadRecordings',
  summary: 'Download links of a class that has ended',
  method: 'GET',
  path: '/v1/room/:roomId/recordings/download',
  auth: 'organization',
  params: roomIdParams,
  response: envelope(recordingDownloads),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED'],
});

export const startRecordingInClass = defineEndpoint({
  operationId: 'startRecordingInClass',
  summary: 'Record the class (TEACHER, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/recording/start',
  auth: 'classroom',
  body: startRecordingBody,
  response: envelope(startedRecording),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'FORBIDDEN', 'ROOM_ENDED', 'ROOM_NOT_LIVE', 'RECORDING_IN_PROGRESS', 'RECORDER_BUSY', 'SERVICE_UNAVAILABLE'],
});

export const stopRecordingInClass = defineEndpoint({
  operationId: 'stopRecordingInClass',
  summary: 'Stop recording the class (TEACHER, MODERATOR, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/recording/stop',
  auth: 'classroom',
  body: stopRecordingBody,
  response: envelope(stoppedRecording),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'FORBIDDEN', 'ROOM_ENDED', 'RECORDING_NOT_FOUND', 'NO_ACTIVE_RECORDING'],
});
