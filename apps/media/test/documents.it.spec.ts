import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createDocument,
  deleteDocument,
  documentConverted,
  documentFailed,
  documentRpc,
  erasureRpc,
  exportRpc,
  getDocument,
  listDocuments,
  OFFICE_TYPES,
  quotasOf,
} from '@classroom/contracts';
import { pictureSizeOf } from '@classroom/platform';
import { tenantOf } from '@classroom/storage';
import { eventually, factsWith, ffmpeg, inLongForm, pdfOf } from '@classroom/testing';
import { newClass, settled, upload, type Room } from './support/class-documents.js';
import { ended, MediaFixture } from './support/media-fixture.js';
import { head, patch } from './support/tus.js';

jest.setTimeout(180_000);

const SLIDES = ['The hypotenuse is opposite the right angle.', 'A second page', 'The third'];
const HOUR_MS = 3_600_000;
const WITH_WORKER = { ROLES: 'service,worker', TRANSCODING_LEASE_SECONDS: '2' };

/** Resolves when the objects of a deleted document were deleted for the first time. */
const erasedOnce = (fixture: MediaFixture, documentId: string) =>
  eventually(async () => expect((await fixture.document(documentId))?.['upload_expires_at']).toEqual(expect.any(Date)), 30_000);

const sizeOf = async (answer?: Response) => pictureSizeOf(Buffer.from((await answer?.arrayBuffer()) ?? new ArrayBuffer()));

const prefixOf = ({ organizationId }: Room, documentId: string) => `documents/${tenantOf(organizationId)}/${documentId}/`;
const keysOf = async (fixture: MediaFixture, room: Room, documentId: string) => [
  ...(await fixture.bucket.list(prefixOf(room, documentId))).keys(),
];

describe('documents', () => {
  let fixture: MediaFixture;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'documents-'));
    fixture = await MediaFixture.start();
    await fixture.startApp(WITH_WORKER);
  });

  afterAll(async () => {
    await fixture?.stop();
  });

  const picture = async (name: string, size: string): Promise<Buffer> => {
    const file = join(folder, name);
    await ffmpeg(['-v', 'error', '-f', 'lavfi', '-i', `testsrc=s=${size}:d=1`, '-frames:v', '1', file]);
    return readFileSync(file);
  };

  test('become pictures in two sizes and text, which are listed, shown and exported', async () => {
    const room = newClass(fixture);
    const documentId = await upload(fixture, room, pdfOf(SLIDES));
    expect(await settled(fixture, documentId)).toMatchObject({ status: 'completed', pages: 3, attempt: 1, due_at: null, message: null });
    const { documents } = await fixture.call(listDocuments, room);
    expect(documents).toMatchObject([{ documentId, title: 'Triangles', status: 'completed', pages: 3, message: null }]);

    const shown = await fixture.call(getDocument, { ...room, documentId });
    expect(shown).toMatchObject({ status: 'completed', nextAfter: null });
    expect(shown.pages.map(({ page, width, height, text }) => [page, width, height, text])).toEqual(
      SLIDES.map((text, at) => [at + 1, 1_600, 900, text]),
    );
    for (const { url, previewUrl } of shown.pages) {
      const [large, small] = await Promise.all([url, previewUrl].map((address) => fetch(address)));
      expect([large?.status, large?.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(await sizeOf(large)).toMatchObject({ width: 1_600, height: 900 });
      expect(await sizeOf(small)).toMatchObject({ width: 800, height: 450 });
    }
    const [first] = shown.pages;
    const prefix = first?.url.replace('1600/1.jpg', '') ?? '';
    const statuses = ['1600/4.jpg', '1600/01.jpg', '900/1.jpg', 'source', ''].map(async (path) => (await fetch(`${prefix}${path}`)).status);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([404]));
    expect((await fetch(`${prefix.replace(/\/([^/.]+)\.(?=[^/]+\/$)/, '/1$1.')}1600/1.jpg`)).status).toBe(403);
    expect((await fixture.call(getDocument, { ...room, documentId, after: 2 })).pages.map(({ page }) => page)).toEqual([3]);
    const filmed = await fixture.call(documentRpc.filmed, { ...room, documentId, after: 2 });
    expect(filmed).toEqual({ pages: [{ page: 3, url: expect.stringMatching(/\/1600\/3\.jpg$/) }] });
    expect((await fetch(filmed.pages[0]?.url ?? '')).headers.get('content-type')).toBe('image/jpeg');

    expect((await keysOf(fixture, room, documentId)).map((key) => key.replace(prefixOf(room, documentId), ''))).toEqual([
      ...[1, 2, 3].map((page) => `1/1600/${page}.jpg`),
      ...[1, 2, 3].map((page) => `1/800/${page}.jpg`),
      'source',
    ]);
    expect(await factsWith(fixture.stack, 'media', { documentId })).toMatchObject([
      { type: documentConverted.type, data: { ...room, sid: `RM_${room.roomId}`, title: 'Triangles', pages: 3 } },
    ]);
    const { pages } = await fixture.call(documentRpc.texts, room);
    expect(pages).toEqual(SLIDES.map((text, at) => ({ title: 'Triangles', page: at + 1, text })));
    const { records } = await fixture.call(exportRpc.media, { ...room, subject: { roomId: room.roomId }, cursor: null });
    expect(records.map(({ store }) => store)).toEqual(['documents', ...SLIDES.map(() => 'document-pages')]);
  });

  test('belong to their class and organization alone', async () => {
    const [room, other] = [newClass(fixture), newClass(fixture)];
    const documentId = await upload(fixture, room, pdfOf(['x']));
    const notFound = { code: 'DOCUMENT_NOT_FOUND' };
    for (const stranger of [other, { ...room, roomId: other.roomId }, { ...room, organizationId: other.organizationId }]) {
      await expect(fixture.call(getDocument, { ...stranger, documentId })).rejects.toMatchObject(notFound);
      await expect(fixture.call(documentRpc.filmed, { ...stranger, documentId, after: 0 })).rejects.toMatchObject(notFound);
      await expect(fixture.call(deleteDocument, { ...stranger, documentId })).rejects.toMatchObject(notFound);
      expect((await fixture.call(listDocuments, stranger)).documents).toEqual([]);
    }
    await expect(fixture.call(listDocuments, { ...room, roomId: 'unknown' })).rejects.toMatchObject({ code: 'ROOM_NOT_FOUND' });
    fixture.rooms.set(room.roomId, 'finished');
    const url = 'https://school.example/slides.pdf';
    await expect(fixture.call(createDocument, { ...room, title: 'T', url })).rejects.toMatchObject({ code: 'ROOM_ENDED' });
    expect((await fixture.call(listDocuments, room)).documents).toHaveLength(1);
  });

  test.each([
    ['a PNG', 'image/png', () => picture('a.png', '2400x1200'), { width: 1_600, height: 800 }],
    ['a small JPEG', 'image/jpeg', () => picture('a.jpg', '300x100'), { width: 300, height: 100 }],
    ['a turned page', 'application/pdf', async () => pdfOf(['x'], { page: '/Rotate 90' }), { width: 1_600, height: 2_844 }],
    ['a very long page', 'application/pdf', async () => pdfOf(['x'], { size: [100, 14_000] }), { width: 23, height: 3_200 }],
  ] as const)('may be %s', async (_, contentType, file, size) => {
    const room = newClass(fixture);
    const documentId = await upload(fixture, room, await file(), contentType);
    expect(await settled(fixture, documentId)).toMatchObject({ status: 'completed', pages: 1 });
    expect((await fixture.call(getDocument, { ...room, documentId })).pages).toMatchObject([size]);
  });

  test.each([
    ['an encrypted PDF', () => pdfOf(['x'], { isEncrypted: true }), /encrypted or protected by a password/],
    ['a damaged PDF', () => Buffer.from('%PDF-1.4\nnothing of value'), /can’t be read/],
    ['501 pages', () => pdfOf(Array.from({ length: 501 }, () => 'x')), /at most 500/],
    ['a huge page', () => pdfOf(['x'], { size: [1e9, 1e9] }), /too large/],
    ['a page of HTML', () => Buffer.from('<html><iframe src="file:///etc/passwd">'), /can’t be read/],
    ['a part of a picture', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /can’t be read/],
    ['other files in a ZIP', () => Buffer.from('PK\u0003\u0004word/document.xml', 'latin1'), /can’t be read/],
  ])('with %s fail at once, with the reason', async (_, file, message) => {
    const room = newClass(fixture);
    const documentId = await upload(fixture, room, file());
    expect(await settled(fixture, documentId)).toMatchObject({ status: 'failed', attempt: 1, due_at: null });
    const [shown] = (await fixture.call(listDocuments, room)).documents;
    expect(shown).toMatchObject({ status: 'failed', pages: null, message: expect.stringMatching(message) });
    expect(await factsWith(fixture.stack, 'media', { documentId })).toMatchObject([
      { type: documentFailed.type, data: { roomId: room.roomId, reason: shown?.message } },
    ]);
    expect(await keysOf(fixture, room, documentId)).toEqual([`${prefixOf(room, documentId)}source`]);
  });

  inLongForm(test)(
    'whose page never ends to be drawn fail',
    async () => {
      // It takes 30 s of processor time, of a machine that may do ten other things.
      await fixture.startApp({ ROLES: 'service,worker' });
      const room = newClass(fixture);
      const bomb = pdfOf(['x'], { page: '/Resources 7 0 R' }).toString('latin1');
      const forms = Array.from({ length: 9 }, (_, at) => {
        const content = `/F${at + 1} Do `.repeat(10);
        return `${8 + at} 0 obj\n<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 7 0 R/Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n`;
      });
      const last = '17 0 obj\n<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 9>>\nstream\n0 0 9 9 re\nendstream\nendobj\n';
      const names = Array.from({ length: 10 }, (_, at) => `/F${at} ${8 + at} 0 R`).join('');
      // Without a valid table of objects, poppler finds them itself.
      const file = `${bomb.slice(0, bomb.indexOf('xref')).replace(/BT [^\n]*/, '/F0 Do')}7 0 obj\n<</XObject<<${names}>>>>\nendobj\n${forms.join('')}${last}trailer\n<</Root 1 0 R>>\n`;
      const documentId = await upload(fixture, room, Buffer.from(file, 'latin1'));
      expect(await settled(fixture, documentId, 240_000)).toMatchObject({
        status: 'failed',
        message: expect.stringMatching(/too much time or memory/),
      });
      await fixture.startApp(WITH_WORKER);
    },
    300_000,
  );

  test('count for the quota of storage, up to a hundred in a class', async () => {
    const room = newClass(fixture);
    fixture.quotas = { ...quotasOf(null), videoGib: 0 };
    const body = { title: 'T', fileName: 'f', size: 1, contentType: 'application/pdf' as const };
    await expect(fixture.call(createDocument, { ...room, ...body })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    fixture.quotas = quotasOf(null);
    await fixture.call(createDocument, { ...room, ...body });
    await fixture.stack.rows(
      `INSERT INTO media.documents (document_id, organization_id, room_id, sid, title, size, status, created_at)
       SELECT 'doc_' || lpad(n::text, 20, '0'), $1, $2, 'RM_1', 'T', 1, 'failed', now() FROM generate_series(1, 99) n`,
      [room.organizationId, room.roomId],
    );
    await expect(fixture.call(createDocument, { ...room, ...body })).rejects.toMatchObject({ code: 'TOO_MANY_DOCUMENTS' });
    expect((await fixture.call(listDocuments, room)).documents).toHaveLength(100);
  });

  test('that are presentations need LibreOffice', async () => {
    const room = newClass(fixture);
    const file = { title: 'T', fileName: 'f.pptx', size: 1, contentType: OFFICE_TYPES[0] };
    await fixture.startApp({ ...WITH_WORKER, SOFFICE_PATH: '/nonexistent/soffice' });
    await expect(fixture.call(createDocument, { ...room, ...file })).rejects.toMatchObject({
      code: 'DOCUMENT_TYPE_UNSUPPORTED',
      details: [{ path: 'contentType', message: expect.stringContaining('LibreOffice') }],
    });
    const zip = Buffer.from('PK\u0003\u0004 … ppt/presentation.xml', 'latin1');
    const refused = await upload(fixture, room, zip);
    expect(await settled(fixture, refused)).toMatchObject({ status: 'failed', message: expect.stringContaining('as PDF') });

    const soffice = join(folder, 'soffice');
    writeFileSync(join(folder, 'made.pdf'), pdfOf(['Made of a presentation']));
    writeFileSync(
      soffice,
      `#!/bin/sh\nwhile [ "$1" != --outdir ]; do shift; done\nmkdir -p "$2" && cp '${join(folder, 'made.pdf')}' "$2/source.pdf"\n`,
    );
    chmodSync(soffice, 0o755);
    await fixture.startApp({ ...WITH_WORKER, SOFFICE_PATH: soffice });
    const documentId = await upload(fixture, room, zip, OFFICE_TYPES[0]);
    expect(await settled(fixture, documentId)).toMatchObject({ status: 'completed', pages: 1 });
    expect((await fixture.call(getDocument, { ...room, documentId })).pages).toMatchObject([{ text: 'Made of a presentation' }]);
    await fixture.startApp(WITH_WORKER);
  });

  test('are deleted with their objects, also while they are converted', async () => {
    const room = newClass(fixture);
    const documentId = await upload(fixture, room, pdfOf(SLIDES));
    await settled(fixture, documentId);
    const { pages } = await fixture.call(getDocument, { ...room, documentId });
    await fixture.startApp({ ...WITH_WORKER, FAILPOINTS: 'media.convert.page=delay:3000' });
    const busy = await upload(fixture, room, pdfOf(SLIDES));
    await eventually(async () => expect((await keysOf(fixture, room, busy)).length).toBeGreaterThan(1), 30_000);
    for (const id of [documentId, busy]) await fixture.call(deleteDocument, { ...room, documentId: id });
    await expect(fixture.call(deleteDocument, { ...room, documentId })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    expect((await fixture.call(listDocuments, room)).documents).toEqual([]);
    expect((await fixture.call(documentRpc.texts, room)).pages).toEqual([]);
    await eventually(async () => expect((await fetch(pages[0]?.url ?? '')).status).toBe(404), 10_000);
    for (const id of [documentId, busy]) await erasedOnce(fixture, id);
    expect(await keysOf(fixture, room, documentId)).toEqual([]);
    await fixture.moveClock(HOUR_MS);
    for (const id of [documentId, busy]) {
      await eventually(async () => expect(await fixture.document(id)).toBeUndefined(), 60_000);
      expect(await keysOf(fixture, room, id)).toEqual([]);
    }
    await fixture.moveClock(0);
    await fixture.startApp(WITH_WORKER);
  });

  test('are erased with their class', async () => {
    const [room, other] = [newClass(fixture), newClass(fixture)];
    const kept = await upload(fixture, { ...other, organizationId: room.organizationId }, pdfOf(['kept']));
    const documentId = await upload(fixture, room, pdfOf(SLIDES));
    await Promise.all([kept, documentId].map((id) => settled(fixture, id)));
    const request = {
      erasureId: `era_${'a'.repeat(20)}`,
      organizationId: room.organizationId,
      subject: { roomId: room.roomId },
      readThrough: 0,
    };
    expect(await fixture.call(erasureRpc.media, request)).toEqual({ isComplete: false, counts: { documents: 1 } });
    await erasedOnce(fixture, documentId);
    expect(await keysOf(fixture, room, documentId)).toEqual([]);
    await fixture.moveClock(HOUR_MS);
    await eventually(
      async () => expect(await fixture.call(erasureRpc.media, request)).toEqual({ isComplete: true, counts: { documents: 1 } }),
      60_000,
    );
    await fixture.moveClock(0);
    expect(await fixture.document(kept)).toMatchObject({ status: 'completed', deleted_at: null });
  });

  test('whose upload is not finished in a day fail', async () => {
    const room = newClass(fixture);
    const body = { title: 'T', fileName: 'f', size: 100, contentType: 'application/pdf' as const };
    const { documentId, upload: begun } = await fixture.call(createDocument, { ...room, ...body });
    await patch(begun?.url ?? '', 0, Buffer.alloc(50));
    expect(await head(begun?.url ?? '')).toMatchObject({ status: 200, offset: 50 });
    await fixture.moveClock(25 * HOUR_MS);
    expect(await settled(fixture, documentId)).toMatchObject({ status: 'failed', message: 'The upload was not finished in time' });
    expect((await head(begun?.url ?? '')).status).toBe(410);
    expect(await keysOf(fixture, room, documentId)).toEqual([]);
    await fixture.moveClock(0);
  });

  describe('from an address', () => {
    let server: Server;
    let answer: RequestListener;

    beforeAll(async () => {
      server = createServer((request, response) => answer(request, response));
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => new Promise((resolve) => void server.close(resolve)));

    const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/slides.pdf`;

    test('are loaded and converted, also if the address answers at the second time only', async () => {
      const room = newClass(fixture);
      let requests = 0;
      answer = (_, response) => {
        requests += 1;
        if (requests === 1) response.writeHead(503).end();
        else response.writeHead(200, { 'content-type': 'text/plain' }).end(pdfOf(SLIDES));
      };
      const created = await fixture.call(createDocument, { ...room, title: 'Slides', url: address() });
      expect(created.upload).toBeNull();
      expect(await settled(fixture, created.documentId)).toMatchObject({
        status: 'completed',
        pages: 3,
        size: String(pdfOf(SLIDES).length),
      });
    });

    test.each<[string, RequestListener, RegExp]>([
      ['is missing', (_, response) => void response.writeHead(404).end(), /answered 404/],
      ['is empty', (_, response) => void response.writeHead(200).end(), /empty/],
      ['moves to a private one', (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(), /public address/],
      ['is no document', (_, response) => void response.writeHead(200).end('<html>'), /can’t be read/],
    ])('that %s fail', async (_, listener, message) => {
      answer = listener;
      const { documentId } = await fixture.call(createDocument, { ...newClass(fixture), title: 'Slides', url: address() });
      expect(await settled(fixture, documentId)).toMatchObject({ status: 'failed', message: expect.stringMatching(message) });
    });

    test.each([
      'http://10.0.0.1/a.pdf',
      'https://169.254.169.254/a.pdf',
      'https://user:pw@school.example/a.pdf',
      'ftp://school.example/a.pdf',
    ])('such as %s are refused', async (url) => {
      await expect(fixture.call(createDocument, { ...newClass(fixture), title: 'Slides', url })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ path: 'url' }],
      });
    });
  });

  test('of a killed worker are taken over by another, and several workers convert each once', async () => {
    const room = newClass(fixture);
    await fixture.startApp({ ROLES: 'service' });
    const slow = { TRANSCODING_LEASE_SECONDS: '2', FAILPOINTS: 'media.convert.page=delay:60000' };
    const killed = await fixture.startWorker(slow);
    const documentId = await upload(fixture, room, pdfOf(SLIDES));
    await eventually(async () => expect((await keysOf(fixture, room, documentId)).length).toBeGreaterThan(1), 60_000);
    await ended(killed, 'SIGKILL');
    await fixture.startApp(WITH_WORKER);
    await fixture.startWorker({ TRANSCODING_LEASE_SECONDS: '2' });
    expect(await settled(fixture, documentId)).toMatchObject({ status: 'completed', attempt: 2, pages: 3 });
    await eventually(async () => {
      const folders = (await keysOf(fixture, room, documentId)).map((key) => key.replace(prefixOf(room, documentId), '').split('/')[0]);
      expect(new Set(folders)).toEqual(new Set(['2', 'source']));
    });
    const ids = await Promise.all(Array.from({ length: 8 }, (_, at) => upload(fixture, room, pdfOf([`Document ${at}`]))));
    for (const id of ids) expect(await settled(fixture, id)).toMatchObject({ status: 'completed', attempt: 1 });
    for (const id of ids) expect(await factsWith(fixture.stack, 'media', { documentId: id })).toHaveLength(1);
  });
});
