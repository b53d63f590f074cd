import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { ROOM } from '../kernel/reference.js';
import { organizationId, roomId } from '../kernel/values.js';
import { roomIdParams } from '../room/room.operations.js';
import { startedRecording, stoppedRecording } from './recording.operations.js';

export const pauseRecording = defineOperation({
  operationId: 'pauseRecording',
  summary: 'Pause recording',
  description:
    'Pauses the recording of a room: its file ends here, and *Resume recording* begins the next one with the same options. A paused recording needs no stop. *Merge recordings* makes one file of all after the class.',
  tag: 'Recordings',
  sdk: 'recordings.pause',
  route: 'POST /v1/room/:roomId/recording/pause',
  auth: 'organization',
  scope: 'recordings:write',
  audit: 'recorded',
  service: 'recording',
  rpc: 'recording.pause',
  params: roomIdParams,
  output: stoppedRecording,
  message: 'Recording paused',
  errors: ['ROOM_NOT_FOUND', 'NO_ACTIVE_RECORDING'],
  inClass: {
    path: '/recording/pause',
    summary: 'Pause class recording',
    description:
      'Pauses the recording of the class; everyone in class sees that. *Resume class recording* continues it in a new file. Allowed for TEACHER, MODERATOR and ADMIN.',
    tag: 'Class session',
    permission: 'stopRecording',
  },
  example: { params: ROOM },
});

export const resumeRecording = defineOperation({
  operationId: 'resumeRecording',
  summary: 'Resume recording',
  description: 'Continues a paused recording in a new file with the same options.',
  tag: 'Recordings',
  sdk: 'recordings.resume',
  route: 'POST /v1/room/:roomId/recording/resume',
  auth: 'organization',
  scope: 'recordings:write',
  audit: 'recorded',
  service: 'recording',
  rpc: 'recording.resume',
  timeoutMs: 14_000,
  params: roomIdParams,
  output: startedRecording,
  message: 'Recording resumed',
  errors: ['ROOM_NOT_FOUND', 'ROOM_NOT_LIVE', 'NO_PAUSED_RECORDING', 'RECORDING_IN_PROGRESS', 'RECORDER_BUSY'],
  inClass: {
    path: '/recording/resume',
    summary: 'Resume class recording',
    description: 'Continues a paused recording of the class in a new file with the same options. Allowed for TEACHER and ADMIN.',
    tag: 'Class session',
    permission: 'startRecording',
  },
  example: { params: ROOM },
});

export const mergeRecordings = defineOperation({
  operationId: 'mergeRecordings',
  summary: 'Merge recordings',
  description:
    'Makes one file of all files of a class that has ended, in their order and without another loss of quality. The result is one more recording, `COMPLETED` after some seconds; the parts stay. Repeated calls return the same recording.',
  tag: 'Recordings',
  sdk: 'recordings.merge',
  route: 'POST /v1/room/:roomId/recordings/merge',
  auth: 'organization',
  scope: 'recordings:write',
  audit: 'recorded',
  service: 'recording',
  rpc: 'recording.merge',
  timeoutMs: 14_000,
  params: roomIdParams,
  input: z.object({ organizationId, roomId }),
  output: startedRecording,
  message: 'Recordings are merged',
  errors: ['ROOM_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED', 'NOTHING_TO_MERGE', 'RECORDER_BUSY'],
  example: { params: ROOM },
});
