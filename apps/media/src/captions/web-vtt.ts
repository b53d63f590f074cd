import { invalidField } from '@classroom/contracts';

/** WebVTT's signature: `WEBVTT`, optionally followed by a space or a tab and a comment. */
const SIGNATURE = /^WEBVTT(?:[ \t][^\n]*)?(?:\n|$)/;
const CUE = /^(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}(?:[ \t]|$)/;

/**
 * Returns the track with `\n` line ends and without a byte order mark. The text of the cues is not checked: players show it as text.
 * @throws AppError VALIDATION_FAILED if it is not WebVTT
 */
export function webVttOf(content: string): string {
  if (content.includes('\u0000')) throw invalidField('content', 'must not have a NUL');
  const text = content.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  if (!SIGNATURE.test(text)) throw invalidField('content', 'must be WebVTT: its first line is WEBVTT');
  const wrong = text.split('\n').find((line) => line.includes('-->') && !CUE.test(line));
  if (wrong !== undefined) throw invalidField('content', `must be WebVTT: “${wrong.slice(0, 60)}” is no timing`);
  return text;
}
