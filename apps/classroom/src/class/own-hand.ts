import type { Hand } from '@classroom/contracts';

/** The requested state of one's own hand, shown until the class state confirms it. */
export interface HandWish {
  readonly hand: Hand;
  readonly isRaised: boolean;
}

export function isGranted(wish: HandWish, hands: readonly Hand[]): boolean {
  return hands.some(({ uid }) => uid === wish.hand.uid) === wish.isRaised;
}

/** Returns the same list if the wish changes nothing. */
export function withWish(hands: readonly Hand[], wish: HandWish | undefined): readonly Hand[] {
  if (!wish || isGranted(wish, hands)) return hands;
  return wish.isRaised ? [...hands, wish.hand] : hands.filter(({ uid }) => uid !== wish.hand.uid);
}
