import { z } from 'zod';
import { classroomCaller } from '../kernel/caller.js';
import { defineRpc } from '../kernel/rpc.js';
import { roomSession } from './classroom.operations.js';

const service = 'room' as const;

const caller = z.object({ caller: classroomCaller });

export const classroomRpc = {
  /** Verifies a bearer's signature and age; whether the participant may still act is decided in the use case. */
  authenticate: defineRpc({
    service,
    rpc: 'classroom.authenticate',
    input: z.object({ bearer: z.string().max(8192), accept: z.enum(['participant', 'classroom']) }),
    output: classroomCaller,
    errors: ['UNAUTHORIZED'],
    timeoutMs: 3_000,
  }),
  openSession: defineRpc({
    service,
    rpc: 'classroom.open-session',
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
    rpc: 'classroom.authorize',
    input: caller.extend({ permission: z.enum(['startRecording', 'stopRecording', 'manageParticipants']).optional() }),
    output: z.object({ organizationId: z.string(), roomId: z.string() }),
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'ROOM_ENDED'],
    timeoutMs: 3_000,
  }),
};
