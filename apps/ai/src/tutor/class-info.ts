import { Injectable } from '@nestjs/common';
import { roomRpc, type RpcOutput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { atMost, logger } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { ClassQuestionsRepository } from './class-questions.repository.js';
import { Redactor } from './redactor.js';

const CLASSES = 5_000;
const ROOM_TTL_MS = 5_000;
const NAMES_TTL_MS = 30_000;

export type RoomInfo = RpcOutput<typeof roomRpc.describe>;

/**
 * Facts about classes from the room service, cached for a few seconds. Errors are not cached: a rejection always comes from the room
 * service itself.
 */
@Injectable()
export class ClassInfo {
  private readonly rooms = new LRUCache<string, RoomInfo>({ ...atMost(CLASSES), ttl: ROOM_TTL_MS });
  private readonly redactors = new LRUCache<string, Redactor>({ ...atMost(CLASSES / 10), ttl: NAMES_TTL_MS });

  constructor(
    private readonly rpc: RpcClient,
    private readonly questions: ClassQuestionsRepository,
  ) {}

  /** `mayUseAi` of the answer is about the participant `uid`, if given. @throws AppError ROOM_NOT_FOUND, SERVICE_UNAVAILABLE */
  async room(organizationId: string, roomId: string, uid?: string): Promise<RoomInfo> {
    const key = `${organizationId}/${roomId}/${uid ?? ''}`;
    const known = this.rooms.get(key);
    if (known) return known;
    const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId, uid });
    this.rooms.set(key, room);
    return room;
  }

  /**
   * Returns a redactor of the students' names. Undefined if not all names are known; other students' questions and answers must then not be
   * sent to a model.
   */
  async redactor(organizationId: string, sid: string): Promise<Redactor | undefined> {
    const known = this.redactors.get(sid);
    if (known) return known;
    try {
      const [{ names, isComplete }, uids] = await Promise.all([
        this.rpc.call(roomRpc.studentNames, { organizationId, sid }),
        this.questions.studentsOf(organizationId, sid),
      ]);
      if (!isComplete) return undefined;
      const redactor = new Redactor(names, uids);
      this.redactors.set(sid, redactor);
      return redactor;
    } catch (error) {
      logger.warn({ err: error }, 'student names unavailable; questions of other students omitted');
      return undefined;
    }
  }
}
