import { z } from 'zod';
import { classroomCaller } from '../kernel/caller.js';
import { defineRpc } from '../kernel/rpc.js';
import { roomSession } from './classroom.operations.js';

const service = 'room' as const;

const caller = z.object({ caller: classroomCaller });

export const classroomRpc = {
  /** Verifies a bearer token's signature and age. Each use case decides whether the participant may still act. */
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
      /** The client's IP address, for the reports of the participant's connections. Other participants never see it. */
      clientAddress: z.string().max(45).optional(),
    }),
    output: roomSession,
    errors: ['UNAUTHORIZED', 'ROOM_ENDED', 'ROOM_NOT_OPEN', 'ROOM_FULL', 'ALREADY_CONNECTED', 'CONSENT_REQUIRED', 'ADMISSION_REFUSED'],
  }),
  /** Whether a participant may currently perform an action that another service implements, and which room and organization it is in. */
  authorize: defineRpc({
    service,
    rpc: 'classroom.authorize',
    callers: ['gateway', 'ai'],
    needsCaller: true,
    input: caller.extend({ permission: z.enum(['startRecording', 'stopRecording', 'manageParticipants']).optional() }),
    /** `name`: the participant's. */
    output: z.object({ organizationId: z.string(), roomId: z.string(), mayUseAi: z.boolean(), name: z.string() }),
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'ROOM_ENDED'],
    timeoutMs: 3_000,
  }),
};
