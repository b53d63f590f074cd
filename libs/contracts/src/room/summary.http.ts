import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { timestamp } from '../kernel/ids.js';
import { roomIdParams } from './room.http.js';

export const roomSummary = z.object({
  roomId: z.string(),
  roomName: z.string(),
  totalCredits: z.number().int(),
  totalParticipants: z.number().int(),
  avgStay: z.number().int(),
  timestamps: z.object({ startedAt: timestamp.nullable(), endedAt: timestamp.nullable() }),
  status: z.enum(['live', 'finished']),
});

export const getRoomSummary = defineEndpoint({
  operationId: 'getRoomSummary',
  summary: 'What a class came to: people, minutes, credits',
  method: 'GET',
  path: '/v1/room/:roomId/summary',
  auth: 'organization',
  params: roomIdParams,
  response: envelope(roomSummary),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND'],
});
