import { z } from 'zod';
import { organizationId, roomId } from '../kernel/values.js';
import { defineRpc, streamOpening, streamStarted } from '../kernel/rpc.js';
import { roomChatPage } from './chat.operations.js';

export const interactionRpc = {
  /** The polls with all votes, as one array in JSON. */
  exportPolls: defineRpc({
    service: 'room',
    rpc: 'class.export-polls',
    input: z.object({ organizationId, roomId, ...streamOpening.shape }),
    output: streamStarted,
    errors: ['ROOM_NOT_FOUND'],
  }),
  /** The chat for the organization's backend, the earliest message first. A page has fewer than `limit` messages if one RPC message cannot hold them. */
  chatPage: defineRpc({
    service: 'room',
    rpc: 'class.chat-page',
    input: z.object({ organizationId, roomId, cursor: z.string().optional(), limit: z.number().int().min(1).max(200) }),
    output: roomChatPage,
    errors: ['VALIDATION_FAILED', 'ROOM_NOT_FOUND'],
  }),
  /** The whole chat as CSV. A table has the messages alone, below the names of its columns. */
  exportChat: defineRpc({
    service: 'room',
    rpc: 'class.export-chat',
    input: z.object({ organizationId, roomId, isTable: z.boolean(), ...streamOpening.shape }),
    output: streamStarted,
    errors: ['ROOM_NOT_FOUND'],
  }),
};
