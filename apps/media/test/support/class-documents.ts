import { randomUUID } from 'node:crypto';
import { createDocument, type RpcRequest } from '@classroom/contracts';
import { eventually } from '@classroom/testing';
import type { MediaFixture } from './media-fixture.js';
import { patch } from './tus.js';

type Type = NonNullable<RpcRequest<typeof createDocument>['contentType']>;

/** A class of a school of its own. */
export const newClass = (fixture: MediaFixture) => {
  const room = { organizationId: `org_${randomUUID()}`, roomId: randomUUID().replaceAll('-', '').slice(0, 16) };
  fixture.rooms.set(room.roomId, 'live');
  return room;
};
export type Room = ReturnType<typeof newClass>;

export async function upload(fixture: MediaFixture, room: Room, file: Buffer, contentType: Type = 'application/pdf'): Promise<string> {
  const body = { title: 'Triangles', fileName: 'triangles', size: file.length, contentType };
  const created = await fixture.call(createDocument, { ...room, ...body });
  expect(await patch(created.upload?.url ?? '', 0, file)).toMatchObject({ status: 204, offset: file.length });
  return created.documentId;
}

export async function settled(fixture: MediaFixture, documentId: string, timeoutMs = 90_000): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const row = await fixture.document(documentId);
    if (row?.['status'] !== 'completed' && row?.['status'] !== 'failed') throw new Error(`it is ${String(row?.['status'])}`);
    return row;
  }, timeoutMs);
}
