import { z } from 'zod';
import { schemaHints } from './schema-hints.js';

/** Base64 as in RFC 4648, padded. The gateway decodes it, and names the field if it is none. */
export const base64 = z
  .string()
  .min(1, 'must not be empty')
  .register(schemaHints, { pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$' });
