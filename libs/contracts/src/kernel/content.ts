import { z } from 'zod';
import { schemaHints } from './reference.js';

/** Base64 as in RFC 4648, padded. The gateway decodes it, and names the field if it is none. */
export const base64 = z
  .string()
  .min(1, 'must not be empty')
  .register(schemaHints, { pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$' });

/** A word in capitals or small letters, in a pattern for which no flag can be given (JSON Schema). */
const anyCase = (word: string) => word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

/**
 * A media type as browsers write it, such as `Video/WebM; codecs="vp9,opus"`. The value that is kept has neither parameters nor capitals.
 * @param types such as `image` @param except subtypes that are not taken, by their beginning
 */
export function mediaType(types: readonly string[], error: string, except: readonly string[] = []) {
  const refused = except.map((word) => `(?!${anyCase(word)})`).join('');
  const type = `(?:${types.map(anyCase).join('|')})/${refused}[A-Za-z0-9][A-Za-z0-9.+-]{0,99}`;
  // Not `.`, which each engine of regular expressions ends at other characters.
  const parameters = ';[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]{0,200}';
  const pattern = new RegExp(`^[ \\t]*${type}[ \\t]*(?:${parameters})?$`, 'u');
  return z
    .string()
    .refine((value) => pattern.test(value), { error, abort: true })
    .overwrite((value) => (value.split(';', 1)[0] ?? '').trim().toLowerCase())
    .register(schemaHints, { pattern: pattern.source });
}
