import { invalidField } from '@classroom/contracts';
import type { BaseConfig } from '@classroom/platform';

/** Characters of a chosen value that no one guesses, if they are random: 120 bits in letters and digits. */
const MIN_CHOSEN = 24;

/**
 * In production, a value that an operator chooses is long: it authorizes everything, and strangers may try many. In a local installation it may be short.
 * @throws AppError VALIDATION_FAILED that names the field
 */
export function requireStrong({ DEPLOYMENT }: Pick<BaseConfig, 'DEPLOYMENT'>, field: string, value: string | undefined): void {
  if (DEPLOYMENT !== 'production' || value === undefined || value.length >= MIN_CHOSEN) return;
  throw invalidField(field, `must have at least ${MIN_CHOSEN} characters, because it is a secret; omit it to get a random one`);
}
