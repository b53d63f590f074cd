import { randomUUID } from 'node:crypto';
import {
  createRoom,
  deletePreset,
  getPreset,
  getRoom,
  listPresets,
  MAX_PRESETS,
  NO_CONSENT_ASKED,
  setPreset,
  type ConsentSettings,
} from '@classroom/contracts';
import { refusal, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
beforeEach(() => {
  fixture.organizationId = `org_${randomUUID()}`;
});

const set = (name: string, body: object = {}) => fixture.asBackend(setPreset, { presetName: name, ...body });
const names = async () => (await fixture.asBackend(listPresets, {})).presets.map(({ name }) => name);

describe('presets', () => {
  it('are set, replaced, listed by name, returned and deleted, each for its organization alone', async () => {
    const lecture = { customization: { theme: 'dark' }, settings: { maxParticipants: 300, chat: { mode: 'OFF' } } };
    expect(await set('lecture', lecture)).toEqual({ name: 'lecture', ...lecture, updatedAt: expect.any(String) });
    await set('exam', {});
    expect(await names()).toEqual(['exam', 'lecture']);
    await set('lecture', { settings: { autoRecord: true } });
    const replaced = { name: 'lecture', customization: {}, settings: { autoRecord: true }, updatedAt: expect.any(String) };
    expect(await fixture.asBackend(getPreset, { presetName: 'lecture' })).toEqual(replaced);
    const { organizationId } = fixture;
    fixture.organizationId = `org_${randomUUID()}`;
    expect(await names()).toEqual([]);
    expect(await refusal(fixture.asBackend(getPreset, { presetName: 'lecture' }))).toBe('PRESET_NOT_FOUND');
    expect(await refusal(fixture.asBackend(deletePreset, { presetName: 'lecture' }))).toBe('PRESET_NOT_FOUND');
    fixture.organizationId = organizationId;
    expect(await fixture.asBackend(deletePreset, { presetName: 'lecture' })).toEqual({ name: 'lecture' });
    expect(await refusal(fixture.asBackend(deletePreset, { presetName: 'lecture' }))).toBe('PRESET_NOT_FOUND');
    expect(await names()).toEqual(['exam']);
  });

  it('are as many as one answer can have, and can be replaced then', async () => {
    await Promise.all(Array.from({ length: MAX_PRESETS }, (_, index) => set(`p-${index}`)));
    expect(await refusal(set('another'))).toBe('TOO_MANY_PRESETS');
    await set('p-0', { settings: { maxParticipants: 7 } });
    expect(await names()).toHaveLength(MAX_PRESETS);
  });
});

describe('a room of a preset', () => {
  const recording = { ask: 'join', without: 'mute', version: '1', text: 'May we?' } as const;
  const create = (more: object) =>
    fixture.asBackend(createRoom, {
      roomId: randomUUID(),
      title: 'Algebra',
      participant: { uid: 'ada', name: 'Ada', role: 'TEACHER' },
      ...more,
    });
  const whole = async ({ room }: { room: { roomId: string } }) => fixture.asBackend(getRoom, { roomId: room.roomId });

  it('has the settings of the preset, replaced by those of the request, and keeps them', async () => {
    const chat = { mode: 'TEACHERS', slowModeSeconds: 9 };
    const settings = { maxParticipants: 12, emptyTimeout: 45, autoRecord: true, maxDuration: 3_600, chat, consent: { recording } };
    await set('lecture', { customization: { theme: 'dark', showLobby: false }, settings });
    const organizationConsent: ConsentSettings = { ...NO_CONSENT_ASKED, ai: false };
    const given = { customization: { showLobby: true }, settings: { emptyTimeout: 60, chat: { mode: 'ALL' } } };
    const created = await create({ preset: 'lecture', organizationConsent, ...given });
    const expected = {
      customization: { theme: 'dark', showLobby: true, showVideoControls: true },
      settings: { ...settings, emptyTimeout: 60, chat: { ...chat, mode: 'ALL' }, consent: { recording, ai: false }, joinBefore: 600 },
    };
    expect(await whole(created)).toMatchObject(expected);
    await set('lecture', { settings: { maxParticipants: 99 } });
    expect(await whole(created)).toMatchObject(expected);
  });

  it('is refused without the preset, but a repeated creation is answered when the preset is gone', async () => {
    expect(await refusal(create({ preset: 'never' }))).toBe('PRESET_NOT_FOUND');
    await set('short');
    const request = { roomId: randomUUID(), preset: 'short', idempotency: { key: randomUUID(), bodyHash: 'one' } };
    const { room } = await create(request);
    await fixture.asBackend(deletePreset, { presetName: 'short' });
    expect(await create(request)).toMatchObject({ room, isReplayed: true });
    expect(await refusal(create({ ...request, idempotency: { ...request.idempotency, bodyHash: 'two' } }))).toBe('IDEMPOTENCY_CONFLICT');
  });
});
