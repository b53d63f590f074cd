import { Injectable } from '@nestjs/common';
import { AppError, classroomRpc, getTutorDialogue, type ClassroomCaller, type RpcInput, type TutorTurn } from '@classroom/contracts';
import { fitMessage, Handles, RpcClient } from '@classroom/messaging';
import { Providers } from '../providers/providers.js';
import { DialogueRepository } from './class-questions.repository.js';

/** A student's own dialogue with the tutor of a class, and what the tutor can do. */
@Injectable()
export class GetTutorDialogue {
  constructor(
    private readonly dialogue: DialogueRepository,
    private readonly rpc: RpcClient,
    private readonly providers: Providers,
  ) {}

  /** @throws AppError AI_DISABLED, UNAUTHORIZED, ROOM_ENDED */
  @Handles(getTutorDialogue)
  async getTutorDialogue({ caller }: RpcInput<typeof getTutorDialogue>) {
    const { organizationId, mayUseAi } = await this.rpc.call(classroomRpc.authorize, { caller });
    if (!mayUseAi) throw new AppError('AI_DISABLED');
    const [{ provider }, newestFirst] = await Promise.all([
      this.providers.forOrganization(organizationId),
      this.turns(organizationId, caller),
    ]);
    return {
      turns: fitMessage(newestFirst).reverse(),
      canSpeak: provider.can('textToSpeech'),
      canListen: provider.can('speechToText'),
      isOffline: provider.isOffline,
    };
  }

  private async turns(organizationId: string, { sid, uid }: ClassroomCaller): Promise<TutorTurn[]> {
    const rows = await this.dialogue.turns(organizationId, `${sid}/${uid}`);
    return rows.map(({ askedAt, teacherAnswer: text, teacherName, resolvedAt, ...row }) => ({
      ...row,
      askedAt: askedAt.toISOString(),
      ...(text !== null && {
        teacherAnswer: { text, name: teacherName ?? '', answeredAt: (resolvedAt ?? askedAt).toISOString() },
      }),
    }));
  }
}
