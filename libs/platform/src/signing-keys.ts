import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { secret } from './config.js';
import type { IssuerKey } from './signed-claims.js';

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

const PAIR = /^([^:,\s]+):([^:,\s]+)$/;

/** LiveKit keys that are accepted in addition to the one in use, as `<key>:<secret>,…`; none by default. */
export const liveKitKeys = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((pair) => pair.trim())
      .filter(Boolean)
      .map((pair) => PAIR.exec(pair) ?? []),
  )
  .refine(
    (pairs) => pairs.every(([, , it]) => secret.safeParse(it).success),
    'must be <key>:<secret of at least 32 characters>, comma separated',
  )
  .transform((pairs) => pairs.map(([, key = '', it = '']) => ({ key, secret: it })));

interface KeyConfig {
  LIVEKIT_API_KEY: string;
  LIVEKIT_API_SECRET: string;
  LIVEKIT_OTHER_KEYS: readonly { key: string; secret: string }[];
}

/** The keys under which LiveKit's tokens and webhooks are accepted: the one in use, then the others. */
export const acceptedLiveKitKeys = ({ LIVEKIT_API_KEY, LIVEKIT_API_SECRET, LIVEKIT_OTHER_KEYS }: KeyConfig): IssuerKey[] => [
  { issuer: LIVEKIT_API_KEY, secret: LIVEKIT_API_SECRET },
  ...LIVEKIT_OTHER_KEYS.map((other) => ({ issuer: other.key, secret: other.secret })),
];
