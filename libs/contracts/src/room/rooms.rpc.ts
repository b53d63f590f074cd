import { z } from 'zod';
import { organizationId, role, roomId, uid } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { roomDetails } from './class-state.js';
import { removedParticipant } from './classroom.http.js';
import { changeRoomBody, mutedParticipant, muteSource } from './interaction.http.js';
import { changedRole, participantPage, roomFilters, roomPage } from './rooms.http.js';

const service = 'room' as const;
const ofRoom = z.object({ organizationId, roomId });
const ofParticipant = ofRoom.extend({ uid });

/** The organization's backend over its rooms: what it lists, changes, and does to the people in them. */
export const roomsRpc = {
  list: defineRpc({
    service,
    noun: 'rooms',
    verb: 'list',
    input: z.object({ organizationId, ...roomFilters, cursor: z.string().optional(), limit: z.number().int() }),
    output: roomPage,
    errors: ['VALIDATION_FAILED'],
  }),
  change: defineRpc({
    service,
    noun: 'rooms',
    verb: 'change',
    input: ofRoom.extend({ change: changeRoomBody }),
    output: roomDetails,
    errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED'],
  }),
  participants: defineRpc({
    service,
    noun: 'rooms',
    verb: 'participants',
    input: ofRoom.extend({ isConnected: z.boolean().optional(), cursor: z.string().optional(), limit: z.number().int() }),
    output: participantPage,
    errors: ['ROOM_NOT_FOUND', 'VALIDATION_FAILED'],
  }),
  removeParticipant: defineRpc({
    service,
    noun: 'rooms',
    verb: 'remove-participant',
    input: ofParticipant,
    output: removedParticipant,
    errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND'],
  }),
  muteParticipant: defineRpc({
    service,
    noun: 'rooms',
    verb: 'mute-participant',
    input: ofParticipant.extend({ source: muteSource }),
    output: mutedParticipant,
    errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  changeRole: defineRpc({
    service,
    noun: 'rooms',
    verb: 'change-role',
    input: ofParticipant.extend({ role }),
    output: changedRole,
    errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND'],
  }),
};
