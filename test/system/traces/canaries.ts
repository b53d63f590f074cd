import { randomBytes } from 'node:crypto';

/** A unique text that can be found anywhere. */
export const canary = (kind: string) => `${kind}-${randomBytes(8).toString('hex')}`;

const address = (kind: string) => `${canary(kind)}@school.example`;

/** Confidential facts about a class that only its school may see, by kind. */
export const newCanaries = () => ({
  organizationId: canary('school'),
  organizationName: canary('college'),
  roomId: canary('class'),
  otherRoomId: canary('other'),
  title: canary('title'),
  description: canary('description'),
  // Some schools use e-mail addresses as uids.
  teacher: address('teacher'),
  student: address('student'),
  teacherName: canary('Ada'),
  studentName: canary('Grace'),
  // From an address range that is reserved for documentation.
  address: `203.0.113.${20 + ((randomBytes(1)[0] ?? 0) % 200)}`,
  chat: canary('chat'),
  prompt: canary('prompt'),
  answer: canary('answer'),
  notes: canary('notes'),
  chatId: canary('dialogue'),
  videoTitle: canary('film'),
  fileName: canary('file'),
  modelKey: canary('key'),
});
export type Canaries = ReturnType<typeof newCanaries>;

/** Whether the text contains the value as it is, as part of JSON, or URL-encoded. */
export const contains = (text: string, value: string) =>
  [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].some((form) => text.includes(form));
