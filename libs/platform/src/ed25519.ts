import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** @param text PKCS 8, DER, base64 @throws Error that names the variable, and never contains its value */
export const ed25519PrivateKey = (variable: string, text: string): KeyObject =>
  ed25519(variable, () => createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }));

/** @param text SPKI, DER, base64 @throws as `ed25519PrivateKey` does */
export const ed25519PublicKey = (variable: string, text: string): KeyObject =>
  ed25519(variable, () => createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }));

function ed25519(variable: string, read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    // Not a key at all.
  }
  if (key?.asymmetricKeyType !== 'ed25519') throw new Error(`${variable}: not an Ed25519 key in DER form, as base64`);
  return key;
}
