import { randomBytes } from 'node:crypto';

/** Like nothing else, so that it is found wherever it stands. */
export const canary = (kind: string) => `${kind}-${randomBytes(8).toString('hex')}`;

const address = (kind: string) => `${canary(kind)}@school.example`;

/** Everything about a class that is nobody's business but its school's, by what it is. */
export const newCanaries = () => ({
  organizationId: canary('school'),
  organizationName: canary('college'),
  roomId: canary('class'),
  otherRoomId: canary('other'),
  title: canary('title'),
  description: canary('description'),
  // Some schools know people by their e-mail.
  teacher: address('teacher'),
  student: address('student'),
  teacherName: canary('Ada'),
  studentName: canary('Grace'),
  // Of a range that belongs to nobody.
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

/** As it is, as JSON has it within a text, or as a URL has it. */
export const isTold = (text: string, value: string) =>
  [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].some((form) => text.includes(form));
