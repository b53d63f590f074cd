import type { OwnConsent, RecordingConsent } from '@classroom/contracts';
import { settingsOf } from '../schema/settings.js';
import { consentEffects, type ConsentAnswer, type ConsentRoom } from '../roles/recording-consent.js';

/** As the participant sees it. Undefined if the class asks for none, or has not asked yet. */
export function toOwnConsent(room: ConsentRoom, participant: ConsentAnswer): OwnConsent | undefined {
  const { state, isAsked, isMuted } = consentEffects(room, participant);
  const { recording: asked } = settingsOf(room).consent;
  if (!asked || !state || (state === 'REQUIRED' && !isAsked)) return undefined;
  return { ...questionOf(asked), state, isMuted };
}

const questionOf = ({ version, text, ask, without }: RecordingConsent) => ({ purpose: 'recording', version, text, ask, without });
