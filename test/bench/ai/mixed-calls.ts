import type { RecordedOpenAi } from '@classroom/testing';

// Concurrent calls of several organizations, rooms, students and chats, each with its own mark in its text. Rooms, chats and students have
// the same names in all organizations, so that code which ignores the owner mixes them up.
export const SCHOOLS = 4;
const ROOMS = 3;
const STUDENTS = 5;
const CHATS = 6;
const CONCURRENCY = 32;
/** Percentage of calls that are aborted. */
const ABORTED_PERCENT = 2;
/** Fills the model's context quickly, so that older messages are cut off and summarized. */
const FILLER = 'one more word to fill the window '.repeat(8);
const MARK = /mark-(\d+)-([rc]\d+)-(\w+)-(\d+)/g;

export interface School {
  /** Of VF-ORG-ID. */
  value: string;
}

export interface Mark {
  text: string;
  school: string;
  place: string;
  who: string;
}

export interface Plan {
  gateway: string;
  schools: School[];
  provider: RecordedOpenAi;
  calls: number;
  print?: (line: string) => void;
}

interface Result {
  answered: number;
  hungUp: number;
  asked: number;
  marks: number;
  foreign: string[];
  failures: string[];
}

const marksIn = (text: string): Mark[] =>
  [...text.matchAll(MARK)].map(([mark, school, place, who]) => ({ text: mark, school, place, who }));

/** Whether a foreign mark may appear in a call: in a room all questions asked there, and the same student's questions in other rooms. */
function isAllowedWith(own: Mark, other: Mark) {
  if (own.school !== other.school) return false;
  return own.place === other.place || (own.place.startsWith('r') && own.who === other.who);
}

const call = (gateway: string, { value }: School, method: string, address: string, body?: object, signal?: AbortSignal) =>
  fetch(`${gateway}${address}`, {
    method,
    headers: { 'VF-ORG-ID': value, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
    signal,
  });

/** Makes the calls. The result counts the marks in the provider's requests: if there are none, the test proves nothing. */
export async function mixCalls({ gateway, schools, provider, calls, print = () => undefined }: Plan): Promise<Result> {
  const result: Result = { answered: 0, hungUp: 0, asked: 0, marks: 0, foreign: [], failures: [] };
  provider.behave((request) => {
    result.asked += 1;
    const messages = (request.body['messages'] ?? []) as { content: unknown }[];
    const own = marksIn(JSON.stringify(messages.at(-1) ?? {})).at(-1);
    for (const mark of marksIn(JSON.stringify(request.body))) {
      result.marks += 1;
      if (own && !isAllowedWith(own, mark)) result.foreign.push(`${mark.text} was sent together with ${own.text}`);
    }
    const pupils = [...JSON.stringify(messages).matchAll(/pupil-(\d+)/g)].filter(([, number]) => own?.who !== `s${number}`);
    for (const [pupil] of pupils) result.foreign.push(`${pupil} was sent together with ${own?.text}`);
    return {};
  });
  for (const school of new Set(schools)) await openRooms(gateway, school, schools.indexOf(school));
  let made = 0;
  const work = async () => {
    while (made < calls) {
      const number = made++;
      await oneCall(gateway, schools, number, result).catch((error) => result.failures.push(String(error)));
      // Requests that were checked are dropped to save memory.
      if (number % 500 === 499) {
        provider.requests.length = 0;
        print(`${number + 1} calls`);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return result;
}

async function openRooms(gateway: string, school: School, at: number) {
  for (let room = 0; room < ROOMS; room++) {
    const mark = `mark-${at}-r${room}-room-0`;
    const participant = { uid: 'teacher', name: 'A teacher', role: 'TEACHER' };
    const body = { roomId: `room-${room}`, title: mark, roomDescription: mark, metadata: { mark }, participant };
    const answers = [
      await call(gateway, school, 'POST', '/v1/room/create', body),
      await call(gateway, school, 'POST', `/v1/room/room-${room}/context`, { topic: mark, notes: `Remember ${mark}.` }),
    ];
    for (const answer of answers) if (!answer.ok) throw new Error(`no room: ${answer.status} ${await answer.text()}`);
  }
}

async function oneCall(gateway: string, schools: School[], number: number, result: Awaited<ReturnType<typeof mixCalls>>) {
  const pick = (count: number) => Math.floor(Math.random() * count);
  const at = pick(schools.length);
  const school = schools[at] as School;
  const isTutor = number % 2 === 0;
  const isStream = pick(2) === 0;
  const [place, who] = isTutor ? [`r${pick(ROOMS)}`, `s${pick(STUDENTS)}`] : [`c${pick(CHATS)}`, 'chat'];
  const mark = `mark-${at}-${place}-${who}-${number}`;
  const question = `${FILLER}What do you make of ${mark}?`;
  const body = isTutor
    ? { roomId: `room-${place.slice(1)}`, studentUid: `pupil-${who.slice(1)}`, organizationId: school.value, text: question }
    : { chatId: `chat-${place.slice(1)}`, message: question, responseType: 'text' };
  const hangUp = new AbortController();
  const hangsUp = pick(100) < ABORTED_PERCENT;
  if (hangsUp) setTimeout(() => hangUp.abort(), pick(40)).unref();
  try {
    const answer = await call(
      gateway,
      school,
      'POST',
      `/v1/ai-${isTutor ? 'tutor' : 'agent'}/chat${isStream ? '/stream' : ''}`,
      body,
      hangUp.signal,
    );
    const text = await answer.text();
    if (answer.status !== 200) result.failures.push(`${answer.status} ${text}`);
    // The provider repeats what it was asked.
    const answerText = isStream ? [...text.matchAll(/"text":"([^"]*)"/g)].map(([, word]) => word).join('') : text;
    const others = marksIn(answerText).filter((it) => it.text !== mark);
    if (others.length > 0) result.foreign.push(`${others.map((it) => it.text).join(' ')} came back to ${mark}`);
    else if (answer.status === 200 && !answerText.includes(mark))
      result.failures.push(`${mark} got no answer of its own: ${text.slice(0, 300)}`);
    result.answered += 1;
  } catch (error) {
    if (!hangsUp) throw error;
    result.hungUp += 1;
  }
}
