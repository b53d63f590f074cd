import { Injectable } from '@nestjs/common';
import { tutorRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { ClassQuestionsRepository } from './class-questions.repository.js';

@Injectable()
export class CountQuestions {
  constructor(private readonly questions: ClassQuestionsRepository) {}

  @Handles(tutorRpc.countQuestions)
  async execute(input: RpcInput<typeof tutorRpc.countQuestions>): Promise<RpcOutput<typeof tutorRpc.countQuestions>> {
    return { students: await this.questions.countBy(input.organizationId, input.sid, input.uids) };
  }
}
