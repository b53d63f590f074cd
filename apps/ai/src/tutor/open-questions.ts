import { Injectable } from '@nestjs/common';
import { AppError, classroomRpc, type ClassroomCaller, type RpcOutput, type tutorRpc } from '@classroom/contracts';
import { fitMessage, RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { QuestionsRepository } from './questions.repository.js';

type Open = RpcOutput<typeof tutorRpc.openQuestions>;

/** What a class waits to hear from its teacher. */
@Injectable()
export class OpenQuestions {
  constructor(
    private readonly rpc: RpcClient,
    private readonly questions: QuestionsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  async list(caller: ClassroomCaller): Promise<Open> {
    const { organizationId } = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'manageParticipants' });
    return this.ofClass(organizationId, caller.sid);
  }

  /** @throws AppError UNAUTHORIZED, QUESTION_NOT_FOUND, ROOM_ENDED */
  async askTeacher(caller: ClassroomCaller, questionId: string): Promise<{ questionId: string }> {
    const { organizationId } = await this.rpc.call(classroomRpc.authorize, { caller });
    const student = { organizationId, sid: caller.sid, studentUid: caller.uid };
    if (!(await this.questions.handOn(student, questionId))) throw new AppError('QUESTION_NOT_FOUND');
    return { questionId };
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, QUESTION_NOT_FOUND, ROOM_ENDED */
  async resolve(caller: ClassroomCaller, questionId: string): Promise<Open> {
    const { organizationId } = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'manageParticipants' });
    const isOfClass = await this.questions.resolve(organizationId, caller.sid, questionId, caller.uid, this.clock.now());
    if (!isOfClass) throw new AppError('QUESTION_NOT_FOUND');
    return this.ofClass(organizationId, caller.sid);
  }

  private async ofClass(organizationId: string, sid: string): Promise<Open> {
    return { questions: fitMessage(await this.questions.open(organizationId, sid)) };
  }
}
