import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { ROOM } from '../kernel/samples.js';
import { timestamp } from '../kernel/ids.js';
import { roomIdParams } from './room.operations.js';

export const roomSummary = z.object({
  roomId: z.string(),
  roomName: z.string(),
  totalCredits: z.number().int(),
  totalParticipants: z.number().int(),
  avgStay: z.number().int(),
  timestamps: z.object({ startedAt: timestamp.nullable(), endedAt: timestamp.nullable() }),
  status: z.enum(['live', 'finished']),
});

export const getRoomSummary = defineOperation({
  operationId: 'getRoomSummary',
  summary: 'Get room summary',
  description: 'Returns the participants, the minutes and the credits of a class.',
  tag: 'Usage and billing',
  sdk: 'rooms.summary',
  route: 'GET /v1/room/:roomId/summary',
  auth: 'organization',
  scope: 'billing:read',
  service: 'room',
  rpc: 'room.summary',
  params: roomIdParams,
  output: roomSummary,
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});
