import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

/** A key with which the gateway signs statements of callers, as in CALLER_SIGNING_KEY. */
export const newCallerKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

/** Its public key, as in CALLER_PUBLIC_KEYS. */
export function publicCallerKey(key: string): string {
  const secret = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
  return createPublicKey(secret).export({ format: 'der', type: 'spki' }).toString('base64');
}
