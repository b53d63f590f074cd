import { ROLE_PERMISSIONS, type PermissionOverrides, type RecordingConsent, type Role, type WaitingRoom } from '@classroom/contracts';
import { TrackSource } from 'livekit-server-sdk';
import { grantsOf } from '../livekit/join-token.js';
import { consentEffects, isOutside, isRoleWaiting, NO_ANSWER, permissionsOf, rightsOf } from './participant-rights.js';

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

const waitingIn = (waitingRoom: WaitingRoom) => ROLES.filter((role) => isRoleWaiting({ settings: { waitingRoom } }, role));

describe('the waiting room', () => {
  it('makes students wait, or everyone except admins', () => {
    expect(waitingIn('OFF')).toEqual([]);
    expect(waitingIn('STUDENTS')).toEqual(['STUDENT']);
    expect(waitingIn('ALL')).toEqual(['STUDENT', 'MODERATOR', 'TEACHER']);
  });

  it('leaves outside who is not admitted, as long as the class has a waiting room', () => {
    const outside = (waitingRoom: WaitingRoom, admission: 'WAITING' | 'ADMITTED' | 'REFUSED' | null) =>
      isOutside({ settings: { waitingRoom } }, { role: 'STUDENT', admission });
    expect((['WAITING', 'REFUSED', null] as const).map((admission) => outside('STUDENTS', admission))).toEqual([true, true, true]);
    expect(outside('STUDENTS', 'ADMITTED')).toBe(false);
    expect(outside('OFF', 'REFUSED')).toBe(false);
  });
});

const effectsOf = (
  consent: Partial<RecordingConsent> | null,
  {
    answer,
    role = 'STUDENT',
    isRecording = false,
  }: { answer?: boolean; role?: 'STUDENT' | 'MODERATOR' | 'TEACHER'; isRecording?: boolean } = {},
) =>
  consentEffects(
    {
      settings: { consent: { recording: consent && { ask: 'join', without: 'mute', version: '1', text: '?', ...consent }, ai: true } },
      isRecording,
    },
    { role, permissions: null, consentVersion: answer === undefined ? null : '1', consentGranted: answer ?? null },
  );

describe('consent to recordings', () => {
  it('is asked of everyone who cannot start a recording, where the class asks for it', () => {
    expect(effectsOf(null)).toMatchObject({ state: undefined, isMuted: false, isUnrecorded: false });
    expect(effectsOf({})).toMatchObject({ state: 'REQUIRED', isAsked: true, isMuted: true, isUnrecorded: true });
    expect(effectsOf({}, { role: 'MODERATOR' }).state).toBe('REQUIRED');
    expect(effectsOf({}, { role: 'TEACHER' })).toMatchObject({ state: undefined, isAsked: false, isUnrecorded: false });
  });

  it('removes every limit when it is granted', () => {
    for (const without of ['refuse', 'mute', 'hide'] as const)
      expect(effectsOf({ without }, { answer: true })).toMatchObject({
        state: 'GRANTED',
        isMuted: false,
        isUnrecorded: false,
        isRefused: false,
      });
  });

  it.each([
    ['refuse', { isRefused: true, isMuted: true }],
    ['mute', { isRefused: false, isMuted: true }],
    ['hide', { isRefused: false, isMuted: false }],
  ] as const)('that is refused, with %s', (without, effects) => {
    expect(effectsOf({ without }, { answer: false })).toMatchObject({ state: 'REFUSED', isUnrecorded: true, ...effects });
  });

  it('asked for at a recording limits no participant before it, and contains none without consent', () => {
    expect(effectsOf({ ask: 'recording' })).toMatchObject({ isAsked: false, isMuted: false, isUnrecorded: true });
    expect(effectsOf({ ask: 'recording' }, { isRecording: true })).toMatchObject({ isAsked: true, isMuted: true });
    const refused = { ask: 'recording', without: 'refuse' } as const;
    expect(effectsOf(refused, { answer: false }).isRefused).toBe(false);
    expect(effectsOf(refused, { isRecording: true }).isRefused).toBe(false);
    expect(effectsOf(refused, { answer: false, isRecording: true }).isRefused).toBe(true);
  });

  it('to an earlier text is none', () => {
    expect(effectsOf({ version: '2' }, { answer: true }).state).toBe('REQUIRED');
  });
});
