import { Controller } from '@nestjs/common';
import { engagementRpc, listEngagement, tutorRpc, type EndpointInput, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { logger } from '@classroom/platform';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

/** The room service knows what happened in class, the AI service who asked the tutor. */
@Controller()
export class EngagementController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(listEngagement)
  async listEngagement(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params: { roomId }, query }: EndpointInput<typeof listEngagement>,
  ) {
    const { sid, participants, nextCursor } = await this.rpc.call(engagementRpc.page, { organizationId, roomId, ...query });
    const uids = participants.map(({ uid }) => uid);
    const questions = await this.countQuestions({ organizationId, sid, uids });
    const withQuestions = participants.map((one) => ({ ...one, tutorQuestions: questions && (questions.get(one.uid) ?? 0) }));
    return success({ participants: withQuestions, nextCursor }, 'Engagement');
  }

  /** By uid. Null if the AI service does not answer: the rest of the report does not depend on it. */
  private async countQuestions(of: { organizationId: string; sid: string; uids: string[] }): Promise<ReadonlyMap<string, number> | null> {
    try {
      const { students } = await this.rpc.call(tutorRpc.countQuestions, of);
      return new Map(students.map(({ uid, questions }) => [uid, questions]));
    } catch (error) {
      logger.warn({ err: error, sid: of.sid }, 'questions to the tutor are not known');
      return null;
    }
  }
}
