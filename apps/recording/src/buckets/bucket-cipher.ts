import { SecretCipher } from '@classroom/platform';

/** Seals the secrets of buckets' keys. What was sealed for one organization can't be opened for another. */
export const bucketCipher = (secrets: readonly [string, ...string[]]) => new SecretCipher('classroom/recording/bucket-keys/v1', secrets);
