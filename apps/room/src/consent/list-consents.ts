import { Injectable } from '@nestjs/common';
import { AppError, listConsents, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { cursorOf } from '@classroom/persistence';
import { z } from 'zod';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { ConsentsRepository } from './consents.repository.js';

/** The id of the last answer of a page. */
const cursors = cursorOf(z.number().int().min(0));

/** The record of answers for the organization's backend, also after the class. */
@Injectable()
export class ListConsents {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly consents: ConsentsRepository,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, VALIDATION_FAILED (cursor) */
  @Handles(listConsents)
  async execute({ organizationId, roomId, cursor, limit }: RpcInput<typeof listConsents>): Promise<RpcOutput<typeof listConsents>> {
    const after = cursor === undefined ? 0 : cursors.decode(cursor);
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const rows = await this.consents.page(organizationId, room.sid, after, limit + 1);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      consents: shown.map(({ id: _, answeredAt, ...consent }) => ({ ...consent, answeredAt: answeredAt.toISOString() })),
      nextCursor: last ? cursors.encode(last.id) : null,
    };
  }
}
