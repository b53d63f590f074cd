import { Injectable } from '@nestjs/common';
import { classroomRpc, getTutorDialogue, type ClassroomCaller, type RpcInput, type TutorTurn } from '@classroom/contracts';
import { fitMessage, Handles, RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Providers } from '../providers/providers.js';

const TURNS = 100;

type Row = Omit<TutorTurn, 'askedAt'> & { askedAt: Date };

/** One's own questions to the tutor of a class, and what can be done with it. */
@Injectable()
export class Dialogue {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly providers: Providers,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(getTutorDialogue)
  async execute({ caller }: RpcInput<typeof getTutorDialogue>) {
    const { organizationId } = await this.rpc.call(classroomRpc.authorize, { caller });
    const [{ provider }, newestFirst] = await Promise.all([this.providers.of(organizationId), this.turns(organizationId, caller)]);
    return {
      turns: fitMessage(newestFirst).reverse(),
      canSpeak: provider.can('textToSpeech'),
      canListen: provider.can('speechToText'),
      isOffline: provider.isOffline,
    };
  }

  private async turns(organizationId: string, { sid, uid }: ClassroomCaller): Promise<TutorTurn[]> {
    const rows = await this.database.query<Row & Record<string, unknown>>(
      `SELECT t.turn_id AS "questionId", t.dialog_index AS "dialogIndex", t.question, t.answer, t.asked_at AS "askedAt",
              coalesce(q.open_reason = 'asked' AND q.resolved_at IS NULL, false) AS "isForTeacher"
         FROM chats c JOIN turns t USING (chat_key) LEFT JOIN questions q ON q.question_id = t.turn_id
        WHERE c.organization_id = $1 AND c.kind = 'tutor' AND c.name = $2 ORDER BY t.dialog_index DESC LIMIT ${TURNS}`,
      [organizationId, `${sid}/${uid}`],
    );
    return rows.map((row) => ({ ...row, askedAt: row.askedAt.toISOString() }));
  }
}
