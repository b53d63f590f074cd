import { Injectable } from '@nestjs/common';
import { getTutorCosts, invalidField, tutorUsage, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { UsageRepository, type UsageTotals } from '../usage/usage.repository.js';
import { toTokensAndCost } from '../usage/summarize-ai-usage.js';
import { ClassInfo } from './class-info.js';

/** Usage of the tutor of a class: in total, and by student. */
@Injectable()
export class TutorUsage {
  constructor(
    private readonly classInfo: ClassInfo,
    private readonly usage: UsageRepository,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(tutorUsage)
  async total({ organizationId, roomId }: RpcInput<typeof tutorUsage>) {
    const { sid } = await this.classInfo.room(organizationId, roomId);
    const { inputTokens, outputTokens } = await this.usage.ofRoom(organizationId, sid);
    return { inputTokens, outputTokens };
  }

  /**
   * By uid. The total includes the summary of the class, which belongs to no student.
   * @throws AppError VALIDATION_FAILED, ROOM_NOT_FOUND
   */
  @Handles(getTutorCosts)
  async costs({ organizationId, roomId, cursor, limit }: RpcInput<typeof getTutorCosts>) {
    const after = cursor === undefined ? '' : fromCursor(cursor);
    const { sid } = await this.classInfo.room(organizationId, roomId);
    const [total, students] = await Promise.all([
      this.usage.ofRoom(organizationId, sid),
      this.usage.ofStudents(organizationId, sid, after, limit + 1),
    ]);
    const page = students.slice(0, limit);
    const hasMore = students.length > limit;
    const last = page.at(-1);
    return {
      roomId,
      total: toUsage(total),
      students: page.map((student) => ({ studentUid: student.studentUid, ...toUsage(student) })),
      pagination: { nextCursor: hasMore && last ? toCursor(last.studentUid) : null, hasMore },
    };
  }
}

const toUsage = (spent: UsageTotals) => ({ interactions: spent.interactions, ...toTokensAndCost(spent) });

const toCursor = (uid: string) => Buffer.from(uid).toString('base64url');

function fromCursor(cursor: string): string {
  const uid = Buffer.from(cursor, 'base64url').toString();
  if (uid === '' || toCursor(uid) !== cursor) throw invalidField('cursor', 'is not one of ours');
  return uid;
}
