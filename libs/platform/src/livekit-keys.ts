import { z } from 'zod';
import { secret } from './config.js';
import type { IssuerKey } from './signed-claims.js';

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
