import { z } from 'zod';
import { uid } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { removedParticipant, roomSession } from './classroom.http.js';
import { endedRoom } from './room.http.js';

const service = 'room' as const;
const noun = 'classroom';

/** A participant as its bearer proved it. Role and rights are read from the rows, never from here. */
export const classroomCaller = z.object({
  sid: z.string(),
  uid: z.string(),
  organizationId: z.string(),
  /** Which of the participant's sessions; null for a join token, which has opened none yet. */
  sessionNumber: z.number().int().nullable(),
  /** Milliseconds since 1970 at which the bearer was signed; a removal kills what is older. */
  issuedAt: z.number().int(),
});
export type ClassroomCaller = z.infer<typeof classroomCaller>;

const caller = z.object({ caller: classroomCaller });

export const classroomRpc = {
  /** Verifies a bearer's signature and age; whether the participant may still act is decided in the use case. */
  authenticate: defineRpc({
    service,
    noun,
    verb: 'authenticate',
    input: z.object({ bearer: z.string().max(8192), accept: z.enum(['participant', 'classroom']) }),
    output: classroomCaller,
    errors: ['UNAUTHORIZED'],
    timeoutMs: 3_000,
  }),
  openSession: defineRpc({
    service,
    noun,
    verb: 'open-session',
    input: caller.extend({
      /** The client's IP address, for the reports of its connections; never shown to other participants. */
      clientAddress: z.string().max(45).optional(),
    }),
    output: roomSession,
    errors: ['UNAUTHORIZED', 'ROOM_ENDED', 'ROOM_FULL'],
  }),
  /** Whether a participant may act now, and do what another service does: whose room it is. */
  authorize: defineRpc({
    service,
    noun,
    verb: 'authorize',
    input: caller.extend({ permission: z.enum(['startRecording', 'stopRecording', 'manageParticipants']).optional() }),
    output: z.object({ organizationId: z.string(), roomId: z.string() }),
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'ROOM_ENDED'],
    timeoutMs: 3_000,
  }),
  endClass: defineRpc({
    service,
    noun,
    verb: 'end-class',
    input: caller,
    output: endedRoom,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'ROOM_ENDED'],
  }),
  removeParticipant: defineRpc({
    service,
    noun,
    verb: 'remove-participant',
    input: caller.extend({ uid }),
    output: removedParticipant,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'PARTICIPANT_NOT_FOUND', 'ROOM_ENDED'],
  }),
};
