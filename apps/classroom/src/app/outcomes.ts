import type { ApiError } from '@classroom/page/api-error';

export type { ClientState as State } from '@virtual-classroom/embed';
import type { ClientState } from '@virtual-classroom/embed';

/** Why the page shows an outcome instead of the class. */
export type OutcomeReason =
  | 'left'
  | 'ended'
  | 'removed'
  | 'refused'
  | 'no-consent'
  | 'not-admitted'
  | 'replaced'
  | 'no-token'
  | 'invalid'
  | 'unknown-room'
  | 'forbidden'
  | 'expired'
  | 'full'
  | 'unreachable'
  | 'no-media'
  | 'unsupported'
  | 'failed';

export interface Outcome {
  state: ClientState;
  /** Whether the outcome has a button. Its label is in i18n next to the title, under the reason. */
  hasAction: boolean;
}

export const OUTCOMES: Record<OutcomeReason, Outcome> = {
  left: { state: 'idle', hasAction: true },
  ended: { state: 'ended', hasAction: false },
  removed: { state: 'kicked', hasAction: false },
  refused: { state: 'kicked', hasAction: true },
  'no-consent': { state: 'idle', hasAction: true },
  'not-admitted': { state: 'idle', hasAction: true },
  replaced: { state: 'error', hasAction: true },
  'no-token': { state: 'error', hasAction: false },
  invalid: { state: 'error', hasAction: false },
  'unknown-room': { state: 'error', hasAction: false },
  forbidden: { state: 'error', hasAction: false },
  expired: { state: 'error', hasAction: false },
  full: { state: 'error', hasAction: true },
  unreachable: { state: 'error', hasAction: true },
  'no-media': { state: 'error', hasAction: true },
  unsupported: { state: 'error', hasAction: false },
  failed: { state: 'error', hasAction: true },
};

/** `wasInClass`: the refusal came after the participant had been in class. `isExpired`: the join token's expiry date has passed. */
export function toOutcomeReason(
  { code }: Pick<ApiError, 'code'>,
  { wasInClass, isExpired }: { wasInClass: boolean; isExpired: boolean },
): OutcomeReason {
  switch (code) {
    case 'ROOM_ENDED':
      return 'ended';
    case 'ROOM_FULL':
      return 'full';
    case 'ALREADY_CONNECTED':
      return 'replaced';
    case 'CONSENT_REQUIRED':
      return 'no-consent';
    case 'ADMISSION_REFUSED':
      return 'not-admitted';
    case 'ROOM_NOT_FOUND':
    case 'NOT_FOUND':
      return 'unknown-room';
    case 'FORBIDDEN':
      return 'forbidden';
    case 'UNAUTHORIZED':
      if (isExpired) return 'expired';
      return wasInClass ? 'refused' : 'invalid';
    case 'NO_ANSWER':
    case 'SERVICE_UNAVAILABLE':
    case 'RATE_LIMITED':
      return 'unreachable';
    default:
      return 'failed';
  }
}

/** Why the class is over, as the service reports it. The page treats an unknown reason as an end without a reason. */
export const END_REASONS = ['deleted', 'class_ended', 'empty', 'schedule', 'budget', 'unused'] as const;
export type EndReason = (typeof END_REASONS)[number];
export const isEndReason = (word: string | undefined): word is EndReason => END_REASONS.some((endReason) => endReason === word);
