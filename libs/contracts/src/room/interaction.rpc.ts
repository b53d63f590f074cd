import { z } from 'zod';
import { organizationId, roomId } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { roomChatPage } from './chat.operations.js';
import { pollReport } from './class-state.js';

export const interactionRpc = {
  /**
   * The polls in pages of one message each. A poll whose votes fill more than one page is repeated at the beginning of each, with
   * the next votes.
   */
  pollPage: defineRpc({
    service: 'room',
    rpc: 'class.poll-page',
    input: z.object({ organizationId, roomId, cursor: z.string().optional() }),
    output: z.object({ polls: z.array(pollReport), nextCursor: z.string().nullable() }),
    errors: ['VALIDATION_FAILED', 'ROOM_NOT_FOUND'],
  }),
  /** The chat for the organization's backend, the earliest message first. A page has fewer than `limit` messages if one RPC message cannot hold them. */
  chatPage: defineRpc({
    service: 'room',
    rpc: 'class.chat-page',
    input: z.object({ organizationId, roomId, cursor: z.string().optional(), limit: z.number().int().min(1).max(200) }),
    output: roomChatPage.extend({ title: z.string() }),
    errors: ['VALIDATION_FAILED', 'ROOM_NOT_FOUND'],
  }),
};
