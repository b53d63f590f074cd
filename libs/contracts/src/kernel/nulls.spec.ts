import { z } from 'zod';
import { billingPlan } from '../organization/organization.operations.js';
import { roomContextBody } from '../ai/tutor.operations.js';
import { createRoomBody } from '../room/room.operations.js';
import { withoutNulls } from './nulls.js';

const read = (schema: z.ZodType, value: unknown) => schema.safeParse(withoutNulls(schema, value));

describe('null in a field of a request', () => {
  const room = { roomId: 'geometry', title: 'Geometry', participant: { uid: 't', name: 'T', role: 'TEACHER' } };

  it('is the same as an absent field if the field is optional, at any depth', () => {
    const nulls = {
      ...room,
      roomDescription: null,
      metadata: null,
      customization: { theme: null },
      settings: { maxParticipants: null, autoRecord: null },
    };
    expect(read(createRoomBody, nulls).data).toEqual(createRoomBody.parse(room));
    expect(read(createRoomBody, { ...room, customization: null, settings: null }).data).toEqual(createRoomBody.parse(room));
  });

  it('is refused if the field is required', () => {
    expect(read(createRoomBody, { ...room, title: null }).error?.issues).toMatchObject([{ path: ['title'] }]);
  });

  it('is kept if it has a meaning', () => {
    expect(read(roomContextBody, { topic: null }).data).toEqual({ topic: null });
  });

  it('is kept in the caller’s own data', () => {
    expect(read(createRoomBody, { ...room, metadata: { lesson: null } }).data).toMatchObject({ metadata: { lesson: null } });
  });

  it('is removed from the members of a union and of a list', () => {
    const plan = { type: 'POSTPAID', billingFrequency: 'WEEKLY', cycleStartDate: null, creditRate: '1', currency: 'USD' };
    expect(read(billingPlan, plan).success).toBe(true);
    expect(read(z.object({ of: z.array(z.object({ a: z.string().optional() })) }), { of: [{ a: null }] }).data).toEqual({ of: [{}] });
  });

  it('does not change a field named __proto__', () => {
    const kept = withoutNulls(createRoomBody, JSON.parse('{"__proto__":{"title":"x"},"roomDescription":null}'));
    expect([Object.keys(kept as object), (kept as { title?: unknown }).title]).toEqual([['__proto__'], undefined]);
  });
});
