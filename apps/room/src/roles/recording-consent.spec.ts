import type { RecordingConsent } from '@classroom/contracts';
import { consentEffects } from './recording-consent.js';

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
