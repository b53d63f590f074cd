import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pictureSizeOf } from '@classroom/platform';
import {
  type ApiClient,
  Bucket,
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
import { entriesOf } from './audit-log.js';
import { sendDocument } from './send-document.js';

const TYPES = { json: 'application/json', svg: 'image/svg+xml', png: 'image/png', pdf: 'application/pdf' };
type Format = keyof typeof TYPES;

const textOf = (id: string, y: number, text: string) => {
  const place = { x: 40, y, width: 400, height: 50 };
  return { id, type: 'text', version: 1, versionNonce: 7, ...place, text, fontSize: 40, strokeColor: '#0000ff' };
};

describe('the board of a class as a file', () => {
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

  async function exported(roomId: string, format: Format, pageId?: string): Promise<Buffer> {
    const query = new URLSearchParams({ format, ...(pageId === undefined ? {} : { pageId }) });
    const answer = await fetch(`${stack.urls.gateway}/v1/room/${roomId}/board?${query}`, { headers: { 'vf-org-id': value } });
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, TYPES[format]]);
    return Buffer.from(await answer.arrayBuffer());
  }

  async function wordsOf(file: Buffer): Promise<string> {
    const path = join(mkdtempSync(join(tmpdir(), 'board-')), 'board.pdf');
    writeFileSync(path, file);
    // Where a font is replaced by another, letters stand apart.
    return (await promisify(execFile)('pdftotext', [path, '-'])).stdout.replaceAll(/\s/g, '');
  }

  async function documentOf(roomId: string): Promise<string> {
    const file = pdfOf(['The words of the slide', 'The second slide']);
    const documentId = await sendDocument(api, `/v1/room/${roomId}/documents`, file);
    await eventually(async () => {
      const [document] = (await api.get(`/v1/room/${roomId}/documents`)).body.data.documents;
      expect(document?.status).toBe('completed');
    }, 60_000);
    return documentId;
  }

  it('has slides and drawings, tells the school of each export, and forgets an erased pupil', async () => {
    expect((await api.post('/v1/webhook-endpoints', { url: receiver.url(), eventTypes: ['board.exported'] })).status).toBe(200);
    const { roomId, sid } = await newRoom(api);
    const documentId = await documentOf(roomId);
    const uid = `pupil-${randomUUID().slice(0, 8)}`;
    const teacher = await enterClass(stack, api, roomId, person('sofia', 'TEACHER'));
    const pupil = await enterClass(stack, api, roomId, person(uid, 'STUDENT'));
    const { pageId } = (await teacher.post('/v1/classroom/board/pages', { documentId })).body.data;
    expect((await teacher.patch('/v1/classroom/board', { isShown: true })).status).toBe(200);
    expect((await teacher.post(`/v1/classroom/participants/${uid}/draw`, { allowed: true })).status).toBe(200);
    const draw = (by: ApiClient, element: object) => by.post('/v1/classroom/board', { pageId, elements: [element] } as never);
    expect((await draw(teacher, textOf('a', 100, 'Of the teacher'))).body.data).toMatchObject({ refused: [] });
    expect((await draw(pupil, textOf('b', 560, 'Of the pupil'))).body.data).toMatchObject({ refused: [] });
    expect((await api.delete(`/v1/room/${roomId}`)).status).toBe(200);

    const bucket = Bucket.of(stack);
    const stored = async () => [...(await bucket.list('documents/')).keys()].filter((key) => key.includes(documentId));
    const before = await stored();
    const words = await wordsOf(await exported(roomId, 'pdf'));
    for (const text of ['Thewordsoftheslide', 'Thesecondslide', 'Oftheteacher', 'Ofthepupil']) expect(words).toContain(text);
    expect(await wordsOf(await exported(roomId, 'pdf', pageId))).not.toContain('Thesecondslide');
    expect(pictureSizeOf(await exported(roomId, 'png'))).toMatchObject({ width: 2_560, height: 1_440 });
    expect((await exported(roomId, 'svg', pageId)).toString()).toContain('Of the pupil');
    const { data } = JSON.parse((await exported(roomId, 'json')).toString()) as { data: { pages: { elements: object[] }[] } };
    expect(data.pages.map(({ elements }) => elements.length)).toEqual([2, 0]);

    const formats = ['json', 'pdf', 'pdf', 'png', 'svg'];
    await eventually(() => {
      const events = receiver.on('/hook', 'board.exported').map(({ event }) => event.data as { format: string });
      expect(events.map(({ format }) => format).sort()).toEqual(formats);
      for (const event of events) expect(event).toEqual({ roomId, sid, format: event.format, exportedAt: expect.any(String) });
    }, 30_000);
    await eventually(async () => {
      const entries = await entriesOf(api, '&operation=getRoomBoard');
      expect(entries.map(({ target }) => [target['roomId'], target['format']]).sort()).toEqual(formats.map((format) => [roomId, format]));
    });

    const { erasureId } = (await api.post('/v1/privacy/erasures', { uid })).body.data;
    await eventually(async () => expect((await api.get(`/v1/privacy/erasures/${erasureId}`)).body.data.status).toBe('COMPLETED'), 60_000);
    const after = await wordsOf(await exported(roomId, 'pdf'));
    expect(after).toContain('Oftheteacher');
    expect(after).not.toContain('Ofthepupil');
    expect((await exported(roomId, 'svg', pageId)).toString()).not.toContain('Of the pupil');
    expect(await stored()).toEqual(before);
  });

  it('is refused where there is nothing to be exported', async () => {
    const { roomId } = await newRoom(api);
    const path = `/v1/room/${roomId}/board` as const;
    for (const format of ['svg', 'png', 'pdf'])
      expect((await api.get(`${path}?format=${format}`)).body).toMatchObject({ error: 'BOARD_PAGE_NOT_FOUND' });
    expect((await api.get(`${path}?format=pdf&pageId=${randomUUID()}`)).body).toMatchObject({ error: 'BOARD_PAGE_NOT_FOUND' });
    expect((await api.get(path)).body.data).toEqual({ isShown: false, currentPageId: null, pages: [] });
    const { api: other } = await newOrganization(stack);
    expect((await other.get(`${path}?format=pdf`)).body).toMatchObject({ error: 'ROOM_NOT_FOUND' });
  });
});
