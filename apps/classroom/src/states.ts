import type { Refusal } from './session.js';

export type State = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'ended' | 'kicked' | 'error';

/** Why a page that is not in class isn't. */
export type Reason =
  | 'left'
  | 'ended'
  | 'removed'
  | 'refused'
  | 'replaced'
  | 'no-token'
  | 'invalid'
  | 'expired'
  | 'full'
  | 'unreachable'
  | 'no-media'
  | 'failed';

export interface Outcome {
  state: State;
  title: string;
  text: string;
  /** Where a button helps. */
  action?: string;
}

/** What the card says: what happened, then what to do. */
export const OUTCOMES: Record<Reason, Outcome> = {
  left: { state: 'idle', title: 'You left the class', text: 'The class goes on without you.', action: 'Join again' },
  ended: { state: 'ended', title: 'This class has ended', text: 'There is nothing more to do here. You can close this page.' },
  removed: {
    state: 'kicked',
    title: 'You were removed from the class',
    text: 'The teacher or a moderator took you out. Ask your school if you think this is a mistake.',
  },
  refused: {
    state: 'kicked',
    title: 'You are no longer in this class',
    text: 'You were away too long, were removed, or joined from another place. You can try to come back.',
    action: 'Try to come back',
  },
  replaced: {
    state: 'error',
    title: 'You joined from another place',
    text: 'The class goes on in your other tab or device. You can bring it back to this one.',
    action: 'Use this one instead',
  },
  'no-token': {
    state: 'error',
    title: 'This link is not complete',
    text: 'Open the class again from where you found the link.',
  },
  invalid: {
    state: 'error',
    title: 'This link does not open a class',
    text: 'It may be damaged or not meant for you. Open the class again from your school’s page.',
  },
  expired: {
    state: 'error',
    title: 'This link is too old',
    text: 'Links work for a limited time. Open the class again from your school’s page to get a new one.',
  },
  full: {
    state: 'error',
    title: 'This class is full',
    text: 'All places are taken. Try again when somebody has left.',
    action: 'Try again',
  },
  unreachable: {
    state: 'error',
    title: 'The classroom can’t be reached',
    text: 'Check your internet connection, then try again.',
    action: 'Try again',
  },
  'no-media': {
    state: 'error',
    title: 'Sound and picture can’t get through',
    text: 'The classroom answers, but its media server can’t be reached. A firewall or VPN may block it: try another network.',
    action: 'Try again',
  },
  failed: {
    state: 'error',
    title: 'Something went wrong',
    text: 'It is our fault, not yours. Try again in a moment.',
    action: 'Try again',
  },
};

/** `wasIn`: refused after the class had let us in. `isExpired`: the token's own date is past. */
export function reasonOf({ code }: Refusal, { wasIn, isExpired }: { wasIn: boolean; isExpired: boolean }): Reason {
  switch (code) {
    case 'ROOM_ENDED':
      return 'ended';
    case 'ROOM_FULL':
      return 'full';
    case 'UNAUTHORIZED':
      if (isExpired) return 'expired';
      return wasIn ? 'refused' : 'invalid';
    case 'NO_ANSWER':
    case 'SERVICE_UNAVAILABLE':
    case 'RATE_LIMITED':
      return 'unreachable';
    default:
      return 'failed';
  }
}
