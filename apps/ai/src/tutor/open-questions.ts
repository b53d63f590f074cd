import { Injectable } from '@nestjs/common';
import {
  AppError,
  answerQuestion,
  askTeacher,
  classroomRpc,
  listOpenQuestions,
  resolveQuestion,
  tutorRpc,
  type ClassroomCaller,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fitMessage, Handles, RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { QuestionsRepository } from '../chats/questions.repository.js';
import { ClassQuestionsRepository } from './class-questions.repository.js';

/** Questions of a class that wait for a teacher's answer. */
@Injectable()
export class OpenQuestions {
  constructor(
    private readonly rpc: RpcClient,
    private readonly questions: QuestionsRepository,
    private readonly classQuestions: ClassQuestionsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(listOpenQuestions)
  async list({ caller }: RpcInput<typeof listOpenQuestions>) {
    const { organizationId } = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'manageParticipants' });
    return this.ofClass(organizationId, caller.sid);
  }

  /** @throws AppError UNAUTHORIZED, QUESTION_NOT_FOUND, ROOM_ENDED */
  @Handles(askTeacher)
  async askTeacher({ caller, questionId }: RpcInput<typeof askTeacher>) {
    const { organizationId } = await this.rpc.call(classroomRpc.authorize, { caller });
    const student = { organizationId, sid: caller.sid, studentUid: caller.uid };
    if (!(await this.questions.escalateToTeacher(student, questionId))) throw new AppError('QUESTION_NOT_FOUND');
    return { questionId };
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, QUESTION_NOT_FOUND, ROOM_ENDED */
  @Handles(resolveQuestion)
  async resolve({ caller, questionId }: RpcInput<typeof resolveQuestion>) {
    return this.close(caller, questionId, undefined);
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, QUESTION_NOT_FOUND, ROOM_ENDED */
  @Handles(answerQuestion)
  async answer({ caller, questionId, answer }: RpcInput<typeof answerQuestion>) {
    return this.close(caller, questionId, answer);
  }

  private async close(caller: ClassroomCaller, questionId: string, answer: string | undefined) {
    const { organizationId, name } = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'manageParticipants' });
    const { sid, uid: by } = caller;
    const isOfClass = await this.questions.resolve({ organizationId, sid, questionId, by, name, answer, at: this.clock.now() });
    if (!isOfClass) throw new AppError('QUESTION_NOT_FOUND');
    return this.ofClass(organizationId, sid);
  }

  private async ofClass(organizationId: string, sid: string) {
    return { questions: fitMessage(await this.classQuestions.open(organizationId, sid)) };
  }
}

@Injectable()
export class CountQuestions {
  constructor(private readonly questions: ClassQuestionsRepository) {}

  @Handles(tutorRpc.countQuestions)
  async execute(input: RpcInput<typeof tutorRpc.countQuestions>): Promise<RpcOutput<typeof tutorRpc.countQuestions>> {
    return { students: await this.questions.countBy(input.organizationId, input.sid, input.uids) };
  }
}
