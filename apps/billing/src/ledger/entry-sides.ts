import type { EntryKind } from '@classroom/contracts';
import type { LedgerEntryEntity, LedgerSide } from '../schema/ledger-entry.entity.js';

const CUSTOMER = 'customer';
const WORLD: Record<EntryKind, LedgerSide> = {
  OPENING: 'funding',
  TOP_UP: 'funding',
  CORRECTION: 'funding',
  CHARGE: 'usage',
  ADJUSTMENT: 'usage',
  AI_USAGE: 'usage',
};

/** Both sides of an entry, from its effect on the organization's balance: a positive number adds credits. */
export function sidesOf(kind: EntryKind, signedCredits: number): Pick<LedgerEntryEntity, 'debitAccount' | 'creditAccount' | 'credits'> {
  const world = WORLD[kind];
  return signedCredits > 0
    ? { debitAccount: world, creditAccount: CUSTOMER, credits: signedCredits }
    : { debitAccount: CUSTOMER, creditAccount: world, credits: -signedCredits };
}

export const signedCredits = ({ creditAccount, credits }: Pick<LedgerEntryEntity, 'creditAccount' | 'credits'>) =>
  creditAccount === CUSTOMER ? credits : -credits;
