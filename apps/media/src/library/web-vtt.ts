import { invalidField } from '@classroom/contracts';

/** WebVTT's signature: `WEBVTT`, optionally followed by a space or a tab and a comment. */
const SIGNATURE = /^WEBVTT(?:[ \t][^\n]*)?(?:\n|$)/;
const CUE = /^(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}(?:[ \t]|$)/;

/**
 * Where the file was in the live stream from which it was cut. Players would apply it, but an uploaded track begins with its video.
 */
const TIME_MAPPING = /^X-TIMESTAMP-MAP[ \t]*=/i;

/**
 * Returns the track with `\n` line ends and without a byte order mark or a time mapping. The text of the cues is not checked: players show it as text.
 * @throws AppError VALIDATION_FAILED if it is not WebVTT
 */
export function webVttOf(content: string): string {
  if (content.includes('\u0000')) throw invalidField('content', 'must not have a NUL');
  const text = content.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  if (!SIGNATURE.test(text)) throw invalidField('content', 'must be WebVTT: its first line is WEBVTT');
  const wrong = text.split('\n').find((line) => line.includes('-->') && !CUE.test(line));
  if (wrong !== undefined) throw invalidField('content', `must be WebVTT: “${wrong.slice(0, 60)}” is no timing`);
  return withoutTimeMapping(text);
}

/** Comments, styles and regions stay: they are blocks of their own. */
function withoutTimeMapping(text: string): string {
  const [header = '', ...blocks] = text.split('\n\n');
  const kept = header.split('\n').filter((line) => !TIME_MAPPING.test(line));
  return [kept.join('\n'), ...blocks].join('\n\n');
}
