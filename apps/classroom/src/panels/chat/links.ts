export interface Part {
  text: string;
  href?: string;
}

const URLS = /https?:\/\/[^\s<>"]+/giu;
/** Punctuation at the end of a URL that belongs to the sentence, not to the URL. */
const TRAILING = /[.,;:!?'‘’“”«»*_]$/u;
const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Splits a message into text and web links. Only http and https URLs become links. */
export function splitLinks(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(URLS)) {
    const address = trimTrailing(found);
    const href = toHref(address);
    if (!href) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: address, href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Removes what belongs to the sentence, from the end: each character is counted once, so that a long row of brackets costs no more than its length. */
function trimTrailing(address: string): string {
  const counts = new Map<string, number>();
  for (const character of address) counts.set(character, (counts.get(character) ?? 0) + 1);
  const countOf = (character: string) => counts.get(character) ?? 0;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const opening = PAIRS[last];
    const isUnbalanced = opening !== undefined && countOf(last) > countOf(opening);
    if (!isUnbalanced && !TRAILING.test(last)) break;
    counts.set(last, countOf(last) - 1);
  }
  return address.slice(0, end);
}

function toHref(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, href, hostname } = new URL(address);
  return ['http:', 'https:'].includes(protocol) && hostname !== '' ? href : undefined;
}
