import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { defineOperation } from '../kernel/operation.js';
import { NAMES, RECORDING, ROOM } from '../kernel/reference.js';
import { organizationId, pageOf, roomId, timestamp } from '../kernel/values.js';
import { roomIdParams } from '../room/room.operations.js';
import { recordingCopyShown } from './bucket.operations.js';
import { recordingLayout, recordingPreset } from './recorder.rpc.js';

export const recordingStatus = z.enum(['STARTING', 'ACTIVE', 'ENDING', 'COMPLETED', 'FAILED', 'ABORTED']);
export type RecordingStatus = z.infer<typeof recordingStatus>;

/** What is wrong with a recording. */
export const recordingHealth = z.enum(['OK', 'STALLED', 'RETRYING', 'LIMIT_REACHED', 'CUT', 'FAILED']);
export type RecordingHealth = z.infer<typeof recordingHealth>;

const findings = {
  mergedFrom: z
    .array(z.string())
    .describe('The recordings whose files are in this one, in their order; empty for a recording of the room itself.'),
  audioOnly: z.boolean().describe('Whether the file has sound only.'),
  reason: z
    .string()
    .nullable()
    .describe('Why there is no file, or no whole one, for people; null if nothing is wrong. The text may change: branch on `health`.'),
  health: recordingHealth
    .meta({ 'x-extensible': true })
    .describe(
      '`OK`; `STALLED`: its recorder does not answer, the recording fails unless that comes back; `RETRYING`: it did not begin, another recorder tries; `LIMIT_REACHED`: the file ends at the greatest length of a recording; `CUT`: the file ends where the recorder broke off; `FAILED`: there is no file. More may be added.',
    ),
};

export const recordingOptions = z.object({
  showLogo: z.boolean().default(true).describe('Whether the organization’s logo is shown. Default: `true`.'),
  layout: recordingLayout.default('grid').describe('`grid`: everyone in tiles. `speaker`: who speaks is large. Default: `grid`.'),
  preset: recordingPreset
    .default('H264_1080P_30')
    .describe('`H264_1080P_30`: 1080p, 30 frames per second. `H264_720P_30`: smaller files. Default: `H264_1080P_30`.'),
  audioOnly: z
    .boolean()
    .default(false)
    .describe(
      'Whether only sound is recorded: an MP4 file with AAC, named `.m4a`. The other options then have no effect. Default: `false`.',
    ),
});
export type RecordingOptions = z.infer<typeof recordingOptions>;

export const startRecordingBody = z
  .object({
    options: recordingOptions
      .nullish()
      .transform((options) => options ?? recordingOptions.parse({}))
      .describe('How the recording looks.'),
  })
  .prefault({});
/** Any text is accepted; one that is not the id of a recording of the room is answered with 404. */
export const stopRecordingBody = z
  .object({ egressId: z.string().optional().describe('The recording to stop. Default: the active one.') })
  .prefault({});

export const startedRecording = z
  .object({
    egressId: z.string().describe('Id of the recording job.'),
    roomId: shown.roomId,
    status: z.string().describe('Status with the prefix `EGRESS_`, such as `EGRESS_STARTING`.'),
    startedAt: timestamp.describe('When the recording began.'),
  })
  .register(NAMES, { id: 'StartedRecording', description: 'A recording that was started.' });
export const stoppedRecording = z
  .object({
    egressId: z.string().describe('Id of the recording job.'),
    status: z.string().describe('Status with the prefix `EGRESS_`, such as `EGRESS_ENDING`.'),
    duration: z.number().int().describe('Seconds recorded so far.'),
    keptHours: z.number().int().optional().describe('Hours after the end of the class for which the file can be downloaded.'),
  })
  .register(NAMES, { id: 'StoppedRecording', description: 'A recording that was stopped; its file is finalized next.' });

export const recording = z
  .object({
    recordingId: z.string().describe('Id of the recording: `rec_` and the `egressId`.'),
    roomId: shown.roomId,
    status: recordingStatus.describe(
      '`STARTING`, `ACTIVE`, `ENDING` (the file is being finalized), `COMPLETED` (the file is available), `FAILED` or `ABORTED`.',
    ),
    startedAt: timestamp.describe('When the recording began.'),
    endedAt: timestamp.nullable().describe('When it ended; null while it runs.'),
    duration: z.number().int().describe('Seconds: the length of the file if it exists, otherwise the time recorded so far.'),
    ...findings,
    paused: z.boolean().describe('Whether it ended by a pause. The next recording continues it if it was resumed.'),
    availableUntil: timestamp
      .nullable()
      .optional()
      .describe(
        'Until when the file can be downloaded, in the past if it was deleted; null while that is not known: before the class has ended or the file exists, and during a legal hold.',
      ),
    copy: recordingCopyShown.nullable().describe('The copy in your own bucket; null if there is none to be.'),
  })
  .register(NAMES, { id: 'Recording', description: 'A recording of a class.' });

export const recordingFile = z
  .object({
    recordingId: z.string().describe('Id of the recording, as in the list.'),
    filename: z.string().describe('Name of the file.'),
    downloadUrl: z.string().describe('Signed address of the file, valid for about an hour.'),
    urlExpiresAt: timestamp.describe('Until this time `downloadUrl` opens the file; call again for a new one.'),
    size: z.number().int().describe('Size in bytes.'),
    duration: z.number().int().describe('Length in seconds.'),
    startedAt: timestamp.describe('When the recording began.'),
    endedAt: timestamp.describe('When it ended.'),
    ...findings,
    copy: recordingCopyShown.nullable().describe('The copy in your own bucket; null if there is none to be.'),
  })
  .register(NAMES, { id: 'RecordingFile', description: 'The file of a recording, with a link to download it.' });

export const recordingDownloads = z
  .object({
    roomId: shown.roomId,
    files: pageOf(recordingFile).describe('The files that are available.'),
    expiresIn: z.string().describe('Time until the first file is deleted, such as `5h 42m`.'),
    availableUntil: timestamp.describe('The end of `expiresIn` as a timestamp. From then on the answer is 410.'),
  })
  .register(NAMES, { id: 'RecordingDownloads', description: 'The files of a class that has ended.' });

export const startRecording = defineOperation({
  operationId: 'startRecording',
  summary: 'Start recording',
  description: 'Starts the recording of a live room.',
  tag: 'Recordings',
  sdk: 'recordings.start',
  route: 'POST /v1/room/:roomId/recording/start',
  auth: 'organization',
  scope: 'recordings:write',
  audit: 'recorded',
  service: 'recording',
  rpc: 'recording.start',
  timeoutMs: 14_000,
  params: roomIdParams,
  body: startRecordingBody,
  input: z.object({ organizationId, roomId, options: recordingOptions, logoUrl: z.string().nullable() }),
  toInput: ({ params, body, organization }) => ({ ...params, ...body, logoUrl: organization.branding.logoUrl ?? null }),
  output: startedRecording,
  message: 'Recording started',
  errors: ['ROOM_NOT_FOUND', 'ROOM_NOT_LIVE', 'RECORDING_IN_PROGRESS', 'RECORDER_BUSY'],
  inClass: {
    path: '/recording/start',
    summary: 'Start class recording',
    description: 'Starts the recording of the class. Allowed for TEACHER and ADMIN.',
    tag: 'Class session',
    permission: 'startRecording',
  },
  example: { params: ROOM, body: { options: { layout: 'speaker', preset: 'H264_720P_30' } } },
});

export const stopRecording = defineOperation({
  operationId: 'stopRecording',
  summary: 'Stop recording',
  description: 'Stops the recording of a room. Its file is then finalized. A paused recording, whose file has ended, is paused no longer.',
  tag: 'Recordings',
  sdk: 'recordings.stop',
  route: 'POST /v1/room/:roomId/recording/stop',
  auth: 'organization',
  scope: 'recordings:write',
  audit: 'recorded',
  service: 'recording',
  rpc: 'recording.stop',
  params: roomIdParams,
  body: stopRecordingBody,
  output: stoppedRecording,
  message: 'Recording stopped',
  errors: ['ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'NO_ACTIVE_RECORDING'],
  inClass: {
    path: '/recording/stop',
    summary: 'Stop class recording',
    description: 'Stops the recording of the class. Allowed for TEACHER, MODERATOR and ADMIN.',
    tag: 'Class session',
    permission: 'stopRecording',
  },
  example: { params: ROOM },
});

export const listRecordings = defineOperation({
  operationId: 'listRecordings',
  summary: 'List recordings',
  description: 'Returns the past and current recordings of a room.',
  tag: 'Recordings',
  sdk: 'recordings.list',
  route: 'GET /v1/room/:roomId/recordings',
  auth: 'organization',
  scope: 'recordings:read',
  dashboardRole: 'MEMBER',
  service: 'recording',
  rpc: 'recording.list',
  params: roomIdParams,
  output: pageOf(recording),
  message: 'Recordings',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const downloadRecordings = defineOperation({
  operationId: 'downloadRecordings',
  summary: 'Download recordings',
  description: 'Returns download links for the recordings of a class that has ended.',
  tag: 'Recordings',
  sdk: 'recordings.downloads',
  route: 'GET /v1/room/:roomId/recordings/download',
  auth: 'organization',
  scope: 'recordings:read',
  dashboardRole: 'MEMBER',
  audit: 'required',
  service: 'recording',
  rpc: 'recording.download',
  params: roomIdParams,
  output: recordingDownloads,
  message: 'Download links',
  errors: ['ROOM_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED'],
  example: { params: ROOM },
});

export const holdRecordingBody = z.object({
  legalHold: z
    .boolean()
    .describe(
      '`true`: the files are not deleted. `false`: they are deleted at the end of their retention, an hour from now at the earliest.',
    ),
});

export const recordingHold = z
  .object({
    recordingId: z.string().describe('Id of the recording.'),
    roomId: shown.roomId,
    legalHold: z.boolean().describe('Whether the files are kept until the hold ends.'),
    deleteAt: timestamp.nullable().describe('When the files are deleted; null during a hold and while the class runs.'),
  })
  .register(NAMES, { id: 'RecordingHold', description: 'How long a recording is kept.' });

export const holdRecording = defineOperation({
  operationId: 'holdRecording',
  summary: 'Hold recording',
  description:
    'Begins or ends a legal hold of a recording: during a hold its files are not deleted. An API key ends one only with the scope `recordings:manage`. An organization whose erasure was requested may call it too: the erasure waits until the hold ends.',
  tag: 'Recordings',
  sdk: 'recordings.hold',
  route: 'POST /v1/room/:roomId/recordings/:recordingId/hold',
  auth: 'organization',
  scope: 'recordings:write',
  service: 'recording',
  audit: 'required',
  rpc: 'recording.hold',
  isForClosed: true,
  params: roomIdParams.extend({ recordingId: z.string().max(128).describe('Id of the recording, as in the list.') }),
  body: holdRecordingBody,
  input: holdRecordingBody.extend({ organizationId, roomId, recordingId: z.string().max(128), mayEnd: z.boolean().default(true) }),
  toInput: ({ params, body, apiKey }) => ({ ...params, ...body, mayEnd: !apiKey || apiKey.scopes.includes('recordings:manage') }),
  output: recordingHold,
  message: 'Recording updated',
  errors: ['ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_EXPIRED'],
  example: { params: RECORDING, body: { legalHold: true } },
});
