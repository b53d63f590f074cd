import { z } from 'zod';
import { organizationId, roomId } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { pollReport } from './class-state.js';

export const interactionRpc = {
  /** For the organization's backend, in the last release's form: as much as one message holds. */
  polls: defineRpc({
    service: 'room',
    rpc: 'class.polls',
    input: z.object({ organizationId, roomId }),
    output: z.array(pollReport),
    errors: ['ROOM_NOT_FOUND'],
  }),
  /** The same in pages of one message each. A poll whose votes fill more than one page begins each of them, with the votes that follow. */
  pollPage: defineRpc({
    service: 'room',
    rpc: 'class.poll-page',
    input: z.object({ organizationId, roomId, cursor: z.string().optional() }),
    output: z.object({ polls: z.array(pollReport), nextCursor: z.string().nullable() }),
    errors: ['VALIDATION_FAILED', 'ROOM_NOT_FOUND'],
  }),
};
