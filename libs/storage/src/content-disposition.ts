/** All characters except RFC 5987's attr-char; they are sent as percent-encoded UTF-8. */
const NOT_ATTRIBUTE = /[^A-Za-z0-9!#$&+.^_`|~-]/gu;
const MAX_CHARACTERS = 150;

/**
 * The header that makes a browser save a file under this name (RFC 6266). `filename` is for clients that do not support
 * `filename*`: ASCII, without characters that could escape from a path or a quoted string.
 */
export function contentDisposition(name: string): string {
  const clean = Array.from(
    name
      .normalize('NFC')
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ''),
  )
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replaceAll(/[/\\]/g, '_')
    .trim();
  const ascii = clean
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]/gu, '_')
    // Also those that were wide forms before.
    .replaceAll(/["%/\\]/g, '_');
  if (clean === '') return 'attachment';
  const fallback = `attachment; filename="${ascii}"`;
  return ascii === clean ? fallback : `${fallback}; filename*=UTF-8''${clean.replaceAll(NOT_ATTRIBUTE, percentEncoded)}`;
}

const percentEncoded = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
