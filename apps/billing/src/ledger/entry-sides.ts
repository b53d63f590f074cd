import type { EntryKind } from '@classroom/contracts';
import type { LedgerEntryEntity, LedgerSide } from '../schema/ledger-entry.entity.js';

const CUSTOMER = 'customer';
const COUNTERPARTIES: Record<EntryKind, LedgerSide> = {
  OPENING: 'funding',
  TOP_UP: 'funding',
  CORRECTION: 'funding',
  CHARGE: 'usage',
  ADJUSTMENT: 'usage',
  AI_USAGE: 'usage',
};

/** Both sides of an entry, from its effect on the organization's balance: a positive number adds credits. */
export function sidesOf(kind: EntryKind, signedCredits: number): Pick<LedgerEntryEntity, 'debitAccount' | 'creditAccount' | 'credits'> {
  const counterparty = COUNTERPARTIES[kind];
  return signedCredits > 0
    ? { debitAccount: counterparty, creditAccount: CUSTOMER, credits: signedCredits }
    : { debitAccount: CUSTOMER, creditAccount: counterparty, credits: -signedCredits };
}

export const signedCredits = ({ creditAccount, credits }: Pick<LedgerEntryEntity, 'creditAccount' | 'credits'>) =>
  creditAccount === CUSTOMER ? credits : -credits;

/** The credits that an entry takes from the organization, in SQL: negative if it adds some. */
export const TAKEN = `CASE WHEN debit_account = '${CUSTOMER}' THEN credits ELSE -credits END`;
