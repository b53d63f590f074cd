import { z } from 'zod';
import { AppError } from './app-error.js';
import { endpointsAmong, errorsOf } from './http.js';
import { byBackendOrInClass, defineOperation, isOperation, replyErrorsOf, rightsOf } from './operation.js';

const closeDoors = defineOperation({
  operationId: 'closeRoomDoors',
  summary: 'Close the doors',
  description: 'Close the doors.',
  tag: 'Rooms',
  route: 'POST /v1/room/:roomId/doors',
  auth: 'organization',
  scope: 'rooms:write',
  dashboardRole: 'OWNER',
  idempotency: 'owner',
  service: 'room',
  alsoFor: ['classroom'],
  params: z.object({ roomId: z.string() }),
  body: z.object({ isFinal: z.boolean().default(false) }).prefault({}),
  output: z.object({ roomId: z.string() }),
  message: ({ roomId }) => `Doors of ${roomId} closed`,
  errors: ['ROOM_NOT_FOUND'],
  operators: { path: '/rooms/:roomId/doors', summary: 'Close doors of organization', tag: 'Organizations' },
});
const request = {
  params: { roomId: 'geometry' },
  query: undefined,
  body: { isFinal: true },
  organization: { organizationId: 'o', branding: {} },
  apiKey: undefined,
};

describe('an operation', () => {
  it('is an endpoint and an RPC, named after it', () => {
    expect(isOperation(closeDoors)).toBe(true);
    expect(closeDoors).toMatchObject({
      method: 'POST',
      path: '/v1/room/:roomId/doors',
      subject: 'rpc.room.room-doors.close.v1',
      timeoutMs: 5_000,
    });
  });

  it('receives the gateway’s data about the caller and the request over NATS', () => {
    const input = { organizationId: 'o', ...closeDoors.toInput(request) };
    expect(closeDoors.input.parse(input)).toEqual({ organizationId: 'o', roomId: 'geometry', isFinal: true });
    expect(closeDoors.input.parse({ organizationId: 'o', roomId: 'r', idempotency: { key: 'k' } })).toEqual({
      organizationId: 'o',
      roomId: 'r',
      isFinal: false,
      idempotency: { key: 'k', bodyHash: '' },
    });
    expect(closeDoors.input.safeParse({ roomId: 'r' }).success).toBe(false);
  });

  it('answers in its envelope, without the fields between gateway and owner', () => {
    expect(closeDoors.output.parse({ roomId: 'r', isReplayed: true })).toEqual({ roomId: 'r', isReplayed: true });
    expect(closeDoors.response.parse({ success: true, data: { roomId: 'r', isReplayed: true } })).toEqual({
      success: true,
      data: { roomId: 'r' },
    });
    expect(closeDoors.messageOf({ roomId: 'r' }, request)).toBe('Doors of r closed');
  });

  it('may return its own errors and those that follow from its declaration', () => {
    const http = errorsOf(closeDoors);
    for (const code of [
      'ROOM_NOT_FOUND',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'VALIDATION_FAILED',
      'IDEMPOTENCY_CONFLICT',
      'RATE_LIMITED',
    ] as const)
      expect(http).toContain(code);
    for (const code of ['ROOM_ENDED', 'ORGANIZATION_SETUP_INCOMPLETE'] as const) expect(http).not.toContain(code);
    expect(replyErrorsOf(closeDoors)).not.toContain(new AppError('ROOM_ENDED').code);
  });

  it('is the same RPC for operators, who name the organization in the path', () => {
    const named = { ...request, params: { organizationId: 'o', roomId: 'geometry' } };
    const { forOperators } = closeDoors;
    if (!isOperation(forOperators)) throw new Error('it is no operation');
    const { path, auth, scope, dashboardRole, subject, errors, operationId, audit } = forOperators;
    expect({ path, auth, scope, dashboardRole, subject, errors, operationId, audit }).toEqual({
      path: '/v1/admin/organizations/:organizationId/rooms/:roomId/doors',
      auth: 'dispatch',
      scope: undefined,
      dashboardRole: undefined,
      subject: closeDoors.subject,
      errors: ['ROOM_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'],
      operationId: 'closeRoomDoorsForOrganization',
      audit: 'required',
    });
    expect(forOperators.params.parse(named.params)).toEqual(named.params);
    expect(forOperators.output).toBe(closeDoors.output);
    expect(forOperators.toInput(named)).toEqual({ organizationId: 'o', roomId: 'geometry', isFinal: true });
    expect(endpointsAmong([closeDoors, 'else'])).toEqual([closeDoors, forOperators]);
  });

  it('is the same RPC for a participant of the class, whose token names the room', () => {
    const { operationId, summary, description, tag, auth, scope, service, output } = closeDoors;
    const both = defineOperation({
      operationId,
      summary,
      description,
      tag,
      auth,
      scope,
      service,
      output,
      route: 'POST /v1/room/:roomId/doors/:door',
      params: z.object({ roomId: z.string(), door: z.string() }),
      input: byBackendOrInClass({ door: z.string() }),
      errors: ['ROOM_NOT_FOUND'],
      example: { params: { roomId: 'geometry', door: 'north' } },
      inClass: { path: '/doors/:door', summary, description, tag: 'Class moderation', audit: 'recorded' },
    });
    const { inClass } = both;
    if (!isOperation(inClass)) throw new Error('it is no operation');
    expect(inClass).toMatchObject({
      operationId: 'closeRoomDoorsInClass',
      path: '/v1/classroom/doors/:door',
      auth: 'classroom',
      scope: undefined,
      subject: both.subject,
      errors: ['FORBIDDEN', 'ROOM_ENDED'],
      audit: 'recorded',
      example: { params: { door: 'north' } },
    });
    expect(inClass.params.parse({ door: 'north', roomId: 'other' })).toEqual({ door: 'north' });
    expect(replyErrorsOf(both)).toContain(new AppError('ROOM_ENDED').code);
    expect([...rightsOf(both)].sort()).toEqual(['classroom', 'organization', 'rooms:write']);
    const caller = { sid: 's', uid: 'u', organizationId: 'o', sessionNumber: 1, issuedAt: 1 };
    expect(both.input.parse({ caller, door: 'north', roomId: 'other' })).toEqual({ caller, door: 'north' });
    for (const half of [{ door: 'north' }, { organizationId: 'o', door: 'north' }]) expect(both.input.safeParse(half).success).toBe(false);
  });

  it('names the rights of all its callers', () => {
    expect([...rightsOf(closeDoors)].sort()).toEqual(['classroom', 'dashboard', 'dispatch', 'organization', 'rooms:write']);
  });

  it('declares its input if its request is not an object', () => {
    const { operationId, summary, description, tag, route, service } = closeDoors as typeof closeDoors & { route: 'GET /' };
    expect(() =>
      defineOperation({
        operationId,
        summary,
        description,
        tag,
        route,
        service,
        auth: 'dispatch',
        query: z.string(),
        output: z.object({}),
      }),
    ).toThrow('input');
  });
});
