import { z } from 'zod';
import { createRoomBody, roomIdParams } from '../room/room.operations.js';
import { AppError } from './app-error.js';
import { ERRORS, HTTP_STATUS } from './errors.js';
import { validationError } from './invalid-input.js';

const messageOf = (schema: z.ZodType, value: unknown) => {
  const parsed = schema.safeParse(value);
  return parsed.success ? 'valid' : validationError(parsed.error).message;
};

describe('validationError', () => {
  const participant = { uid: 't', name: 'T', role: 'TEACHER' };

  it.each<[string, object]>([
    ['roomId is required', { title: 'T', participant }],
    ['title must be a string', { roomId: 'r', title: 1, participant }],
    [
      'participant.role must be one of TEACHER, STUDENT, MODERATOR, ADMIN',
      { roomId: 'r', title: 'T', participant: { ...participant, role: 'X' } },
    ],
    ['settings.maxParticipants must be at most 5000', { roomId: 'r', title: 'T', participant, settings: { maxParticipants: 9999 } }],
    ['settings.emptyTimeout must be a whole number', { roomId: 'r', title: 'T', participant, settings: { emptyTimeout: 0.5 } }],
    ['metadata must be an object', { roomId: 'r', title: 'T', participant, metadata: [] }],
  ])('has the message "%s"', (message, body) => {
    expect(messageOf(createRoomBody, body)).toBe(message);
  });

  it('leaves a message unchanged that names its field', () => {
    expect(messageOf(roomIdParams, { roomId: ' ' })).toBe('Missing roomId');
  });
});

describe('the registry', () => {
  it('gives every code a status', () => {
    for (const { kind } of Object.values(ERRORS)) expect(HTTP_STATUS[kind]).toBeGreaterThanOrEqual(400);
  });

  it('keeps known codes over the wire, and masks unknown ones', () => {
    const error = new AppError('ROOM_FULL', { details: [{ path: 'a', message: 'b' }] });
    expect(AppError.fromReply(error.toReply())).toMatchObject({ code: 'ROOM_FULL', kind: 'conflict', details: error.details });
    expect(AppError.fromReply({ code: 'FROM_THE_FUTURE', message: 'x' }).kind).toBe('internal');
  });
});
