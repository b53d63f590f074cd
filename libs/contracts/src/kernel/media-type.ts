import { z } from 'zod';
import { schemaHints } from './schema-hints.js';

/** A word in capitals or small letters, in a pattern for which no flag can be given (JSON Schema). */
const anyCase = (word: string) => word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

/**
 * A media type as browsers write it, such as `Video/WebM; codecs="vp9,opus"`. The value that is kept has neither parameters nor capitals.
 * @param types such as `image` @param except subtypes that are not taken, by their beginning
 */
export function mediaType(types: readonly string[], error: string, except: readonly string[] = []) {
  const refused = except.map((word) => `(?!${anyCase(word)})`).join('');
  const pattern = new RegExp(`^[ \\t]*(?:${types.map(anyCase).join('|')})/${refused}[A-Za-z0-9][A-Za-z0-9.+-]{0,99}[ \\t]*(?:;.{0,200})?$`);
  return z
    .string()
    .refine((value) => pattern.test(value), { error, abort: true })
    .overwrite((value) => (value.split(';', 1)[0] ?? '').trim().toLowerCase())
    .register(schemaHints, { pattern: pattern.source });
}
