import { SecretCipher } from '@classroom/platform';

/** Organizations' keys at rest. What was sealed for one organization opens for no other. */
export const keyCipher = (secrets: readonly [string, ...string[]]) => new SecretCipher('classroom/ai/api-keys/v1', secrets);
