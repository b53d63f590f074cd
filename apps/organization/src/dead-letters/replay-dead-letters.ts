import { Injectable } from '@nestjs/common';
import { AppError, discardDeadLetter, OPERATORS_LOG, replayDeadLetter, type RpcInput, type ShownDeadLetter } from '@classroom/contracts';
import { DeadLetters, Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { AuditChanges } from '../audit/audit-changes.js';
import { sequenceOf, toShown } from './list-dead-letters.js';

@Injectable()
export class ReplayDeadLetters {
  constructor(
    private readonly letters: DeadLetters,
    private readonly database: Database,
    private readonly audit: AuditChanges,
  ) {}

  /** @throws AppError DEAD_LETTER_NOT_FOUND; SERVICE_UNAVAILABLE if no stream stores the message, which then stays a dead letter */
  @Handles(replayDeadLetter)
  replay({ deadLetterId }: RpcInput<typeof replayDeadLetter>) {
    return this.remove(deadLetterId, (sequence) => this.letters.replay(sequence));
  }

  /** @throws AppError DEAD_LETTER_NOT_FOUND */
  @Handles(discardDeadLetter)
  discard({ deadLetterId }: RpcInput<typeof discardDeadLetter>) {
    return this.remove(deadLetterId, (sequence) => this.letters.drop(sequence));
  }

  private async remove(id: string, remove: (sequence: number) => Promise<boolean>): Promise<ShownDeadLetter> {
    const letter = await this.letters.get(sequenceOf(id));
    if (!letter) throw new AppError('DEAD_LETTER_NOT_FOUND');
    const shown = toShown(letter);
    const { consumer, subject, messageId, organizationId } = shown;
    await this.database.transaction(async (tx) => {
      // The number alone says nothing once the message is gone.
      const before = { consumer, subject, messageId, organizationId };
      await this.audit.record(tx, { organizationId: OPERATORS_LOG, kind: 'dead-letter', id, before, after: null });
      const isRemoved = await remove(letter.sequence).catch((cause: unknown) => {
        throw new AppError('SERVICE_UNAVAILABLE', { cause });
      });
      if (!isRemoved) throw new AppError('DEAD_LETTER_NOT_FOUND');
    });
    return shown;
  }
}
