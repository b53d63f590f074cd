import {
  type ApiClient,
  enterClass,
  eventually,
  newOrganization,
  newRoom,
  pdfOf,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
  WebhookReceiver,
} from '@classroom/testing';
import { sendDocument } from './send-document.js';

const FACT = 'The Thales circle touches every corner of a right triangle.';
const ABOUT_FACT = 'What does the Thales circle touch?';

describe('the documents of a class', () => {
  let stack: RunningStack;
  let receiver: WebhookReceiver;
  let api: ApiClient;
  let value: string;

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([sharedStack(), WebhookReceiver.start()]);
    ({ api, value } = await newOrganization(stack));
  });
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await receiver?.stop();
  });

  const listed = async (roomId: string) => (await api.get(`/v1/room/${roomId}/documents`)).body.data.documents;
  const ended = (roomId: string, status: 'completed' | 'failed') =>
    eventually(async () => {
      const [document] = await listed(roomId);
      expect(document?.status).toBe(status);
      return document;
    }, 60_000);

  it('are shown in class and known to its tutor, until they are deleted', async () => {
    const eventTypes = ['document.converted', 'document.failed'];
    expect((await api.post('/v1/webhook-endpoints', { url: receiver.url(), eventTypes })).status).toBe(200);
    const { roomId, sid } = await newRoom(api);
    let students = 0;
    // Each by another student, who has no dialogue that the tutor remembers.
    const ask = async () => {
      const question = { roomId, organizationId: value, studentUid: `student-${(students += 1)}`, text: ABOUT_FACT };
      const { status, text } = await api.post('/v1/ai-tutor/chat', question);
      expect(status).toBe(200);
      return text;
    };
    expect(await ask()).not.toContain(FACT);

    const documentId = await sendDocument(api, `/v1/room/${roomId}/documents`, pdfOf(['Circles', FACT]));
    expect(await ended(roomId, 'completed')).toMatchObject({ documentId, title: 'Circles', pages: 2, message: null });
    const data = { roomId, sid, documentId, title: 'Circles', pages: 2 };
    await eventually(() => expect(receiver.on('/hook', 'document.converted').map(({ event }) => event.data)).toEqual([data]), 30_000);
    const { events } = (await api.get('/v1/events?types=document.converted')).body.data;
    expect(events.map((event) => event.data)).toEqual([data]);

    const student = await enterClass(stack, api, roomId, person('ada', 'STUDENT'));
    expect((await student.get('/v1/classroom/documents')).body.data.documents).toMatchObject([{ documentId, pages: 2 }]);
    const { pages } = (await student.get(`/v1/classroom/documents/${documentId}`)).body.data;
    expect(pages).toMatchObject([
      { page: 1, width: 1_600, height: 900, text: 'Circles' },
      { page: 2, text: FACT },
    ]);
    for (const { url, previewUrl } of pages)
      for (const address of [url, previewUrl]) expect((await fetch(address)).headers.get('content-type')).toBe('image/jpeg');
    await eventually(async () => expect(await ask()).toContain(FACT), 60_000);

    expect((await student.delete(`/v1/classroom/documents/${documentId}`)).body).toMatchObject({ error: 'FORBIDDEN' });
    expect((await student.post('/v1/classroom/documents', { title: 'T', url: 'https://school.example/a.pdf' })).status).toBe(403);
    const teacher = await enterClass(stack, api, roomId, person('sofia', 'TEACHER'));
    const second = await sendDocument(teacher, '/v1/classroom/documents', pdfOf(['Second']));
    expect((await teacher.delete(`/v1/classroom/documents/${documentId}`)).status).toBe(200);
    expect((await listed(roomId)).map((document) => document.documentId)).toEqual([second]);
    expect((await api.get(`/v1/room/${roomId}/documents/${documentId}`)).body).toMatchObject({ error: 'DOCUMENT_NOT_FOUND' });
    await eventually(async () => expect(await ask()).not.toContain(FACT), 60_000);
    expect((await api.delete(`/v1/room/${roomId}/documents/${second}`)).status).toBe(200);
    expect(await listed(roomId)).toEqual([]);
  });

  it('fail with a reason, which the school’s backend gets', async () => {
    const { roomId } = await newRoom(api);
    const documentId = await sendDocument(api, `/v1/room/${roomId}/documents`, pdfOf(['x'], { isEncrypted: true }));
    const failed = await ended(roomId, 'failed');
    expect(failed).toMatchObject({ documentId, pages: null, message: expect.stringContaining('password') });
    await eventually(
      () =>
        expect(receiver.on('/hook', 'document.failed').map(({ event }) => event.data)).toMatchObject([
          { documentId, roomId, reason: failed?.message },
        ]),
      30_000,
    );
  });

  it('are refused with what has to change', async () => {
    const { roomId } = await newRoom(api);
    const path = `/v1/room/${roomId}/documents` as const;
    const file = { title: 'T', fileName: 'f.pdf', size: 1, contentType: 'application/pdf' };
    const refusals: [object, number, string, string | undefined][] = [
      [{ title: 'T' }, 400, 'VALIDATION_FAILED', ''],
      [{ ...file, contentType: 'text/html' }, 400, 'VALIDATION_FAILED', 'contentType'],
      [{ ...file, size: 200_000_000 }, 400, 'VALIDATION_FAILED', 'size'],
      [{ title: 'T', url: 'http://10.0.0.1/a.pdf' }, 400, 'VALIDATION_FAILED', 'url'],
    ];
    for (const [body, status, error, path_] of refusals) {
      const answer = await api.post(path, body);
      expect([answer.status, answer.body]).toMatchObject([status, { error, details: [{ path: path_ }] }]);
    }
    expect((await api.post('/v1/room/unknown/documents', file)).body).toMatchObject({ error: 'ROOM_NOT_FOUND' });
    const { api: other } = await newOrganization(stack);
    expect((await other.get(path)).body).toMatchObject({ error: 'ROOM_NOT_FOUND' });
  });
});
