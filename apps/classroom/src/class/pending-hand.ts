import type { Hand } from '@classroom/contracts';

/** The requested state of one's own hand, shown until the class state confirms it. */
export interface PendingHand {
  readonly hand: Hand;
  readonly isRaised: boolean;
}

export function isConfirmed(pendingHand: PendingHand, hands: readonly Hand[]): boolean {
  return hands.some(({ uid }) => uid === pendingHand.hand.uid) === pendingHand.isRaised;
}

/** Returns the same list if the pending state changes nothing. */
export function withPendingHand(hands: readonly Hand[], pendingHand: PendingHand | undefined): readonly Hand[] {
  if (!pendingHand || isConfirmed(pendingHand, hands)) return hands;
  return pendingHand.isRaised ? [...hands, pendingHand.hand] : hands.filter(({ uid }) => uid !== pendingHand.hand.uid);
}
