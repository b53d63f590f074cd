import type { ChatMessage } from '@classroom/contracts';

export type Group = readonly [ChatMessage, ...ChatMessage[]];

/** A message that is later than the group's first by this much, in milliseconds, starts a new group with its own time. */
const GROUP_MS = 5 * 60_000;

/** Groups consecutive messages of the same person. */
export function groupMessages(messages: readonly ChatMessage[]): Group[] {
  const groups: [ChatMessage, ...ChatMessage[]][] = [];
  for (const message of messages) {
    const group = groups.at(-1);
    const continuesGroup = group?.[0].uid === message.uid && Date.parse(message.sentAt) - Date.parse(group[0].sentAt) < GROUP_MS;
    if (group && continuesGroup) group.push(message);
    else groups.push([message]);
  }
  return groups;
}

export const isSameGroup = (a: Group, b: Group) => a.length === b.length && a.every((message, index) => message === b[index]);

export interface Part {
  text: string;
  href?: string;
}

/**
 * Within a URL, punctuation and brackets are ASCII: those of other scripts end it, because their sentences continue without a space. So do
 * invisible characters, except the joiners of Persian and Indic words. An apostrophe may be part of a title.
 */
const URLS =
  /https?:\/\/(?:[!#-;=?-~’\u200c\u200d]|[^\s\0-\x7f\p{Terminal_Punctuation}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Cf}\u2014\u2015\u2026])+/giu;
/** A word in Latin letters and the letter after it, of a script that attaches words without a space. */
const WORD_GOES_ON =
  /(?:^|[^\p{L}\p{M}\p{N}])[a-z\d]+(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])/iu;
/** Punctuation at the end of a URL that belongs to the sentence, not to the URL. */
const TRAILING = /[.,;:!?'*_\u200c\u200d]|[^\0-\x7f\P{P}]/u;
const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Splits a message into text and web links. Only http and https URLs become links. */
export function splitLinks(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(URLS)) {
    const address = trimTrailing(withoutSentence(found));
    const href = toHref(address);
    if (!href) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: address, href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Removes a sentence that continues without a space, as in `https://school.example/aを見て`. The names of a domain may mix scripts, except the last. */
function withoutSentence(address: string): string {
  const host = /^[^:]+:\/\/[^/?#]*/.exec(address)?.[0] ?? '';
  const start = Math.max(host.lastIndexOf('.'), host.lastIndexOf('/')) + 1;
  const found = WORD_GOES_ON.exec(address.slice(start));
  return found ? address.slice(0, start + found.index + found[0].length) : address;
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
