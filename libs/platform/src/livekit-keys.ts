import { z } from 'zod';
import { secret } from './config.js';

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
