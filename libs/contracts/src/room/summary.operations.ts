import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { defineOperation } from '../kernel/operation.js';
import { NAMES, ROOM } from '../kernel/reference.js';
import { roomBudget } from './budget-settings.js';
import { roomIdParams } from './room.operations.js';

export const roomSummary = z
  .object({
    roomId: shown.roomId,
    roomName: shown.title,
    totalCredits: z.number().int().describe('Credits of the class: the minutes of all participants, summed and rounded up once.'),
    totalParticipants: z.number().int().describe('Number of participants who joined.'),
    avgStay: z.number().int().describe('Mean seconds per participant.'),
    timestamps: z.object({ startedAt: shown.startedAt, endedAt: shown.endedAt }).describe('When the class began and ended.'),
    budget: roomBudget.optional().describe('The budget of the class, if it has one; `totalCredits` are used of it.'),
    status: z.enum(['live', 'finished']).describe('`finished` after the class, otherwise `live`, also before the first participant joins.'),
  })
  .register(NAMES, { id: 'RoomSummary', description: 'The totals of a class.' });

export const getRoomSummary = defineOperation({
  operationId: 'getRoomSummary',
  summary: 'Get room summary',
  description: 'Returns the participants, the minutes and the credits of a class.',
  tag: 'Rooms',
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
