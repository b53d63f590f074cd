import {
  enterClass,
  eventually,
  first,
  meterOf,
  newOrganization,
  newRoom,
  present,
  reportMinute,
  storedRowsWith,
  type ApiClient,
  type RunningStack,
  type WebhookReceiver,
} from '@classroom/testing';

const BILLING = { type: 'PREPAID', credits: 1_000, creditRate: 0.01, currency: 'EUR' };
/** In everything that is left of the pupil. It has hyphens, so that it is in no random id. */
export const MARK = 'zq-7-mark';
export const PUPIL = { uid: `${MARK}-pupil`, name: `Ada ${MARK}`, role: 'STUDENT', photoURL: `https://school.example/${MARK}.png` };
export const SCHEMAS = ['organization', 'room', 'billing', 'ai', 'recording', 'media'];
const FRIEND = { uid: 'friend', name: 'Bob', role: 'STUDENT' };
export const TEACHER = { uid: 'zq-8-mark-teacher', name: 'Sofia zq-8-mark', role: 'TEACHER' };

export interface School {
  api: ApiClient;
  value: string;
  organizationId: string;
}

/** Schools and classes to erase, and what is stored of them. */
export class ErasureScene {
  constructor(
    private readonly stack: RunningStack,
    private readonly receiver: WebhookReceiver,
  ) {}

  async newSchool(): Promise<School> {
    const { api, value, organizationId } = await newOrganization(this.stack, { billing: BILLING });
    const { status } = await api.post('/v1/webhook-endpoints', { url: this.receiver.url('/school') });
    expect(status).toBe(200);
    return { api, value, organizationId };
  }

  /** A live class in which the pupil leaves something everywhere. */
  async newClass({ api, value }: School): Promise<{ roomId: string; sid: string; end: () => Promise<void> }> {
    const { roomId, sid } = await newRoom(api, { roster: [PUPIL, FRIEND] });
    const teacher = await enterClass(this.stack, api, roomId, TEACHER);
    const pupil = await enterClass(this.stack, api, roomId, PUPIL);
    const friend = await enterClass(this.stack, api, roomId, FRIEND);
    await pupil.post('/v1/classroom/chat', { text: `I am ${MARK}` });
    const { data: said } = (await friend.post('/v1/classroom/chat', { text: 'Hello' })).body;
    const { pollId } = (await teacher.post('/v1/classroom/polls', { question: 'Ready?', options: ['Yes', 'No'] })).body.data;
    await pupil.post(`/v1/classroom/polls/${pollId}/vote`, { option: 1 });
    await friend.post(`/v1/classroom/polls/${pollId}/vote`, { option: 0 });
    await pupil.post('/v1/classroom/hand', { raised: true });
    await teacher.post(`/v1/classroom/participants/${PUPIL.uid}/speak`, { allowed: true });
    await pupil.post(`/v1/classroom/chat/${said.id}/report`);
    await teacher.delete(`/v1/classroom/chat/${said.id}`);
    const question = { roomId, studentUid: PUPIL.uid, organizationId: value, text: `Who is ${MARK}?` };
    expect((await api.post('/v1/ai-tutor/chat', question)).status).toBe(200);
    const { turns } = (await pupil.get('/v1/classroom/tutor')).body.data;
    await pupil.post(`/v1/classroom/tutor/questions/${first(turns).questionId}/ask-teacher`);
    await teacher.post(`/v1/classroom/tutor/questions/${first(turns).questionId}/resolve`);
    await reportMinute(this.stack, pupil, { sid, uid: PUPIL.uid });
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/summary`)).body.data.totalCredits).toBeGreaterThan(0));
    const end = async () => {
      await api.delete(`/v1/room/${roomId}`);
      await eventually(async () => {
        expect(await meterOf(this.stack, sid)).toMatchObject({ isSettled: true });
        const { events } = (await api.get('/v1/events?types=attendance.evaluated')).body.data;
        expect(events.map(({ data }) => data)).toContainEqual(expect.objectContaining({ roomId }));
      });
    };
    return { roomId, sid, end };
  }

  /** Tables with rows that contain the mark. */
  async tablesWithMark(mark = MARK): Promise<string[]> {
    return Object.keys(await storedRowsWith(this.stack, mark));
  }
}

export const erase = async ({ api }: School, subject: object) => (await api.post('/v1/privacy/erasures', subject)).body.data;
export const completed = async ({ api }: School, erasureId: string) => {
  const answer = async () => (await api.get(`/v1/privacy/erasures/${erasureId}`)).body.data;
  await eventually(async () => expect((await answer()).status).toBe('COMPLETED'));
  return answer();
};
export const countsOf = (receipt: { stores: { service: string; store: string; count: number }[] } | null) =>
  Object.fromEntries(
    present(receipt)
      .stores.filter(({ count }) => count > 0)
      .map(({ service, store, count }) => [`${service}: ${store}`, count]),
  );
export const attendanceOf = async ({ api }: School, roomId: string) =>
  (await api.get(`/v1/room/${roomId}/attendance`)).body.data.participants as { uid: string; duration: number }[];
