import { SecretCipher } from '@classroom/platform';

/** Encrypts the API keys of organizations. A key encrypted for one organization can't be decrypted for another. */
export const keyCipher = (secrets: readonly [string, ...string[]]) => new SecretCipher('classroom/ai/api-keys/v1', secrets);
