import { Injectable } from '@nestjs/common';
import { AppError, boardRpc, documentRpc, MAX_FILMED_PEOPLE, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { consentEffects } from '../participants/participant-rights.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import type { Room } from '../rooms/room.js';
import { BoardStates } from './board-states.js';
import { BoardRepository } from './board.repository.js';

/** The board of a class for its recording. */
@Injectable()
export class FilmBoard {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly board: BoardRepository,
    private readonly states: BoardStates,
    private readonly participants: ParticipantsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws AppError ROOM_ENDED */
  @Handles(boardRpc.filmed)
  async update({ sid, after }: RpcInput<typeof boardRpc.filmed>): Promise<RpcOutput<typeof boardRpc.filmed>> {
    const room = await this.requireOpen(sid);
    const update = await this.states.updateSince(sid, after);
    // Read afterwards: it has everyone who drew what is in the update.
    return { ...update, recordable: await this.recordable(room) };
  }

  /** @throws AppError ROOM_ENDED, DOCUMENT_NOT_FOUND */
  @Handles(boardRpc.filmedDocument)
  async document({ sid, documentId, after }: RpcInput<typeof boardRpc.filmedDocument>): Promise<RpcOutput<typeof boardRpc.filmedDocument>> {
    const { organizationId, roomId } = await this.requireOpen(sid);
    return this.rpc.call(documentRpc.filmed, { organizationId, roomId, documentId, after });
  }

  private async requireOpen(sid: string): Promise<Room> {
    const room = await this.rooms.findBySid(sid);
    if (!room || room.state === 'finished') throw new AppError('ROOM_ENDED');
    return room;
  }

  /** As of those whom LiveKit marks for the recorder, the row decides about who is not there any more. */
  private async recordable(room: Room): Promise<string[]> {
    const drew = (await this.board.peopleOf(room.sid, MAX_FILMED_PEOPLE)).map((uid) => ({ sid: room.sid, uid }));
    const people = drew.length > 0 ? await this.participants.listRights(drew) : [];
    return people.filter((person) => !consentEffects(room, person).isUnrecorded).map(({ uid }) => uid);
  }
}
