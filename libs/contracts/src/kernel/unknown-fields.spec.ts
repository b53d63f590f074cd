import { z } from 'zod';
import { createOrganizationBody } from '../organization/organization.operations.js';
import { changeRoomBody } from '../room/interaction.operations.js';
import { createRoomBody } from '../room/room.operations.js';
import { roomFilters } from '../room/rooms.operations.js';
import { unknownFields } from './unknown-fields.js';

/** What each unknown field was probably meant to be; null where nothing is close. */
const meantIn = (schema: z.ZodType, value: unknown) =>
  Object.fromEntries(unknownFields(schema, value).map(({ path, meant = null }) => [path, meant]));

describe('an unknown field', () => {
  it.each<[string, z.ZodType, unknown, Record<string, string | null>]>([
    ['differs in case', createRoomBody, { settings: { waitingroom: 'ALL' } }, { 'settings.waitingroom': 'settings.waitingRoom' }],
    ['has other separators', createRoomBody, { settings: { empty_timeout: 5 } }, { 'settings.empty_timeout': 'settings.emptyTimeout' }],
    ['lacks a letter', createRoomBody, { settings: { maxParticipant: 5 } }, { 'settings.maxParticipant': 'settings.maxParticipants' }],
    ['has one letter more', createRoomBody, { rooster: [] }, { rooster: 'roster' }],
    ['has two letters exchanged', createRoomBody, { titel: 'T' }, { titel: 'title' }],
    ['is above its object', createRoomBody, { waitingRoom: 'ALL' }, { waitingRoom: 'settings.waitingRoom' }],
    ['is above its object and in other case', createRoomBody, { photoUrl: 'x' }, { photoUrl: 'participant.photoURL' }],
    ['is below its object', createRoomBody, { settings: { metadata: {} } }, { 'settings.metadata': 'metadata' }],
    [
      'is in an object of an object',
      createRoomBody,
      { settings: { chat: { mod: 'ALL', slowMode: 1 } } },
      { 'settings.chat.mod': 'settings.chat.mode', 'settings.chat.slowMode': null },
    ],
    ['is one of another object', createRoomBody, { roster: [{ uid: 'a', role: 'STUDENT' }] }, { 'roster.0.role': null }],
    ['is in a list of objects', createRoomBody, { roster: [{ uid: 'a' }, { uid: 'b', nmae: 'B' }] }, { 'roster.1.nmae': 'roster.1.name' }],
    [
      'is in a change',
      changeRoomBody,
      { settings: { budget: { maxCredit: 5 } } },
      { 'settings.budget.maxCredit': 'settings.budget.maxCredits' },
    ],
    [
      'is in one of several forms',
      createOrganizationBody,
      { billing: { type: 'PREPAID', creditrate: 1 } },
      { 'billing.creditrate': 'billing.creditRate' },
    ],
    ['is a query parameter', z.object(roomFilters), { state: 'live', utm: 'x' }, { state: 'status', utm: null }],
    ['is like no other', createRoomBody, { nonsense: 1, title: 'T' }, { nonsense: null }],
    ['belongs to an endpoint without a body', z.unknown(), { a: 1 }, { a: null }],
  ])('%s', (_, schema, value, meant) => {
    expect(meantIn(schema, value)).toEqual(meant);
  });

  it('is not one of a map of the caller’s own, and never refused where any key may be', () => {
    expect(meantIn(createRoomBody, { metadata: { tilte: 1, nested: { settings: 1 } } })).toEqual({});
    expect(meantIn(createRoomBody, { customization: { showLoby: true } })).toEqual({ 'customization.showLoby': null });
  });

  it('is reported at most 20 times, and no longer than a name', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`.repeat(100), 1]));
    const found = unknownFields(createRoomBody, many);
    expect([found.length, Math.max(...found.map(({ path }) => path.length))]).toEqual([20, 64]);
  });
});
