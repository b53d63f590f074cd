import { createHash, randomBytes } from 'node:crypto';
import {
  enterClass,
  eventually,
  first,
  meterOf,
  newOrganization,
  newRoom,
  present,
  reportMinute,
  unzip,
  type ApiClient,
  type RunningStack,
  type WebhookReceiver,
} from '@classroom/testing';

const BILLING = { type: 'PREPAID', credits: 1_000, creditRate: 0.01, currency: 'EUR' };
/** Asked for when a recording starts; an answer is possible before. */
const CONSENT = { ask: 'recording', without: 'hide', version: '1', text: 'We record this class.' };

export interface Person {
  /** In everything that the person leaves, and in nothing of others. */
  mark: string;
  participant: { uid: string; name: string; role: string };
}

export interface School {
  api: ApiClient;
  value: string;
  organizationId: string;
  pupil: Person;
  friend: Person;
  teacher: Person;
}

function newPerson(role: string): Person {
  const mark = `m${randomBytes(4).toString('hex')}`;
  return { mark, participant: { uid: `${mark}-uid`, name: `Ada ${mark}`, role } };
}

/** Schools and classes to export, and what is stored of them. */
export class ExportScene {
  constructor(
    private readonly stack: RunningStack,
    private readonly receiver: WebhookReceiver,
  ) {}

  async newSchool(): Promise<School> {
    const { api, value, organizationId } = await newOrganization(this.stack, { billing: BILLING });
    expect((await api.post('/v1/webhook-endpoints', { url: this.receiver.url('/school') })).status).toBe(200);
    const people = { pupil: newPerson('STUDENT'), friend: newPerson('STUDENT'), teacher: newPerson('TEACHER') };
    return { api, value, organizationId, ...people };
  }

  /** A class that is over, in which everyone left something everywhere. */
  async pastClass({ api, value, ...people }: School): Promise<{ roomId: string; sid: string }> {
    const { roomId, sid } = await newRoom(api, {
      settings: { consent: { recording: CONSENT } },
      roster: [people.pupil, people.friend].map(({ participant }) => participant),
    });
    const teacher = await enterClass(this.stack, api, roomId, people.teacher.participant);
    const pupil = await enterClass(this.stack, api, roomId, people.pupil.participant);
    const friend = await enterClass(this.stack, api, roomId, people.friend.participant);
    await pupil.post('/v1/classroom/chat', { text: `I am ${people.pupil.mark}` });
    await teacher.post('/v1/classroom/chat', { text: `I am ${people.teacher.mark}` });
    const { data: said } = (await friend.post('/v1/classroom/chat', { text: `I am ${people.friend.mark}` })).body;
    await pupil.post('/v1/classroom/reactions', { emoji: '👍' });
    const consent = { purpose: 'recording', version: CONSENT.version, granted: true };
    for (const student of [pupil, friend]) expect((await student.post('/v1/classroom/consent', consent)).status).toBe(200);
    const { pollId } = (await teacher.post('/v1/classroom/polls', { question: 'Ready?', options: ['Yes', 'No'] })).body.data;
    await pupil.post(`/v1/classroom/polls/${pollId}/vote`, { option: 1 });
    await friend.post(`/v1/classroom/polls/${pollId}/vote`, { option: 0 });
    await pupil.post('/v1/classroom/hand', { raised: true });
    await teacher.post(`/v1/classroom/participants/${people.pupil.participant.uid}/speak`, { allowed: true });
    await pupil.post(`/v1/classroom/chat/${said.id}/report`);
    await teacher.delete(`/v1/classroom/chat/${said.id}`);
    for (const [student, { participant }] of [
      [pupil, people.pupil],
      [friend, people.friend],
    ] as const) {
      const { uid } = participant;
      const question = { roomId, studentUid: uid, organizationId: value, text: `Who is ${uid}?` };
      expect((await api.post('/v1/ai-tutor/chat', question)).status).toBe(200);
      const { turns } = (await student.get('/v1/classroom/tutor')).body.data;
      await student.post(`/v1/classroom/tutor/questions/${first(turns).questionId}/ask-teacher`);
      await teacher.post(`/v1/classroom/tutor/questions/${first(turns).questionId}/resolve`);
    }
    await reportMinute(this.stack, pupil, { sid, uid: people.pupil.participant.uid });
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/summary`)).body.data.totalCredits).toBeGreaterThan(0));
    await api.delete(`/v1/room/${roomId}`);
    await eventually(async () => {
      expect(await meterOf(this.stack, sid)).toMatchObject({ isSettled: true });
      const { events } = (await api.get('/v1/events?types=attendance.evaluated')).body.data;
      expect(events).toContainEqual(expect.objectContaining({ data: expect.objectContaining({ roomId }) }));
    });
    return { roomId, sid };
  }
}

export const request = async ({ api }: School, subject: object) => (await api.post('/v1/privacy/exports', subject)).body.data;
export const answerOf = async ({ api }: School, exportId: string) => (await api.get(`/v1/privacy/exports/${exportId}`)).body.data;
export async function completed(school: School, exportId: string) {
  await eventually(async () => expect((await answerOf(school, exportId)).status).toBe('COMPLETED'));
  return answerOf(school, exportId);
}

/** Downloads a completed export, and verifies its sums and its manifest. */
export async function download(school: School, exportId: string): Promise<Record<string, string>> {
  const { downloadUrl, sha256, bytes, stores } = await completed(school, exportId);
  const file = Buffer.from(await (await fetch(present(downloadUrl))).arrayBuffer());
  expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([bytes, sha256]);
  const { 'manifest.json': manifest = '', ...files } = await unzip(file);
  const described = JSON.parse(manifest);
  expect(described).toMatchObject({ exportId, readme: expect.stringContaining('Recordings') });
  expect(described.files).toEqual(
    Object.entries(files).map(([path, text]) => ({
      path,
      records: linesOf(text).length,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    })),
  );
  const counts = Object.fromEntries(present(stores).map(({ service, store, count }) => [`${service}/${store}.jsonl`, count]));
  expect(counts).toEqual(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, linesOf(text).length])));
  return files;
}

export const subjectOf = ({ participant: { uid } }: Person) => ({ uid });

export const linesOf = (text = '') => text.split('\n').filter(Boolean);
