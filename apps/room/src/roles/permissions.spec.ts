import { ROLE_PERMISSIONS, type PermissionOverrides, type Role } from '@classroom/contracts';
import { TrackSource } from 'livekit-server-sdk';
import { rightsOf } from './participant-rights.js';
import { permissionsOf } from './permissions.js';
import { NO_ANSWER } from './recording-consent.js';
import { grantsOf } from './role-grants.js';

const ROLES: Role[] = ['STUDENT', 'MODERATOR', 'TEACHER', 'ADMIN'];
const person = (role: Role, permissions: PermissionOverrides | null = null) => ({ role, permissions });

describe('what a participant may do', () => {
  it('is what the role allows, unless something else is said', () => {
    for (const role of ROLES) expect(permissionsOf({ settings: {} }, person(role))).toEqual(ROLE_PERMISSIONS[role]);
  });

  it('is what the room says of the role, and before that what is said of the participant', () => {
    const room = { settings: { permissions: { STUDENT: { publishAudio: true, chat: false, react: false } } } };
    expect(permissionsOf(room, person('STUDENT', { chat: true, publishVideo: true }))).toEqual({
      ...ROLE_PERMISSIONS.STUDENT,
      publishAudio: true,
      publishVideo: true,
      react: false,
    });
    expect(permissionsOf(room, person('TEACHER', { endClass: false }))).toEqual({ ...ROLE_PERMISSIONS.TEACHER, endClass: false });
  });
});

describe('what LiveKit permits', () => {
  const sourcesOf = (role: Role, permissions: PermissionOverrides | null, { maySpeak = false, asks = false } = {}) => {
    const recording = asks ? ({ ask: 'join', without: 'mute', version: '1', text: '?' } as const) : null;
    const room = { settings: { consent: { recording, ai: true } }, isRecording: false };
    const rights = rightsOf(room, { ...person(role, permissions), ...NO_ANSWER, maySpeak, admission: null });
    const { canPublish, canPublishSources } = grantsOf(rights, 'RM_1');
    return canPublish ? canPublishSources : [];
  };
  const { CAMERA, MICROPHONE, SCREEN_SHARE, SCREEN_SHARE_AUDIO } = TrackSource;

  it('is each source that the participant may publish', () => {
    expect(sourcesOf('TEACHER', null)).toEqual([CAMERA, MICROPHONE, SCREEN_SHARE, SCREEN_SHARE_AUDIO]);
    expect(sourcesOf('TEACHER', { publishVideo: false })).toEqual([MICROPHONE, SCREEN_SHARE, SCREEN_SHARE_AUDIO]);
    expect(sourcesOf('STUDENT', { publishVideo: true })).toEqual([CAMERA]);
    expect(sourcesOf('STUDENT', null)).toEqual([]);
  });

  it('is the microphone while a student may speak, unless the backend forbids it to the student', () => {
    expect(sourcesOf('STUDENT', null, { maySpeak: true })).toEqual([MICROPHONE]);
    expect(sourcesOf('STUDENT', { publishVideo: true }, { maySpeak: true })).toEqual([CAMERA, MICROPHONE]);
    expect(sourcesOf('STUDENT', { publishAudio: false }, { maySpeak: true })).toEqual([]);
  });

  it('is nothing without consent, and no one who may start a recording is asked', () => {
    expect(sourcesOf('STUDENT', { publishVideo: true }, { asks: true })).toEqual([]);
    expect(sourcesOf('STUDENT', { publishVideo: true, startRecording: true }, { asks: true })).toEqual([CAMERA]);
    expect(sourcesOf('TEACHER', { startRecording: false }, { asks: true })).toEqual([]);
  });
});
