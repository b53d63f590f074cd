import { z } from 'zod';
import { organizationId, roomId } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { recording, recordingDownloads, recordingOptions, startedRecording, stoppedRecording } from './recording.http.js';

const service = 'recording' as const;
const noun = 'recording';
const ofRoom = z.object({ organizationId, roomId });

export const recordingRpc = {
  start: defineRpc({
    service,
    noun,
    verb: 'start',
    input: ofRoom.extend({ options: recordingOptions, logoUrl: z.string().nullable() }),
    output: startedRecording,
    errors: ['ROOM_NOT_FOUND', 'ROOM_NOT_LIVE', 'RECORDING_IN_PROGRESS', 'RECORDER_BUSY', 'SERVICE_UNAVAILABLE'],
    /** LiveKit Egress may take ten seconds to say that it has nobody. */
    timeoutMs: 14_000,
  }),
  stop: defineRpc({
    service,
    noun,
    verb: 'stop',
    input: ofRoom.extend({ egressId: z.string().optional() }),
    output: stoppedRecording,
    errors: ['ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'NO_ACTIVE_RECORDING'],
  }),
  list: defineRpc({
    service,
    noun,
    verb: 'list',
    input: ofRoom,
    output: z.array(recording),
    errors: ['ROOM_NOT_FOUND'],
  }),
  /** Where a finished recording's file lies, for the media service to copy. */
  file: defineRpc({
    service,
    noun,
    verb: 'file',
    input: ofRoom.extend({ recordingId: z.string() }),
    output: z.object({ objectKey: z.string(), fileName: z.string(), title: z.string(), size: z.number().int(), duration: z.number().int() }),
    errors: ['ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED'],
  }),
  download: defineRpc({
    service,
    noun,
    verb: 'download',
    input: ofRoom,
    output: recordingDownloads,
    errors: ['ROOM_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED'],
  }),
};
