import { invalidField } from '@classroom/contracts';

/** WebVTT's signature: the word alone, or with a comment behind it. */
const SIGNATURE = /^WEBVTT(?:[ \t][^\n]*)?(?:\n|$)/;
const CUE = /^(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}(?:[ \t]|$)/;

/**
 * The track with plain line ends and no byte order mark. What stands in a cue is for the player to show as text.
 * @throws AppError VALIDATION_FAILED where it isn't WebVTT
 */
export function webVttOf(content: string): string {
  if (content.includes('\u0000')) throw invalidField('content', 'must not have a NUL');
  const text = content.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  if (!SIGNATURE.test(text)) throw invalidField('content', 'must be WebVTT: its first line is WEBVTT');
  const wrong = text.split('\n').find((line) => line.includes('-->') && !CUE.test(line));
  if (wrong !== undefined) throw invalidField('content', `must be WebVTT: “${wrong.slice(0, 60)}” is no timing`);
  return text;
}
