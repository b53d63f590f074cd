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
