import { Injectable } from '@nestjs/common';
import {
  AppError,
  discardDeadLetter,
  getDeadLetter,
  listDeadLetters,
  OPERATORS_LOG,
  replayDeadLetter,
  type RpcInput,
  type ShownDeadLetter,
} from '@classroom/contracts';
import { DeadLetters, fitMessage, Handles, type DeadLetter } from '@classroom/messaging';
import { cursorOf, Database } from '@classroom/persistence';
import { z } from 'zod';
import { AuditChanges } from '../audit/audit-changes.js';

type Fields = Record<string, unknown>;

/** The number of a dead letter in the stream, with which the tool names it, in the form of an id. */
const idOf = (sequence: number) => `dl_${String(sequence).padStart(12, '0')}`;
const sequenceOf = (deadLetterId: string) => Number(deadLetterId.slice('dl_'.length));

/** What identifies a dead letter. Of its content, ids alone: the rest is personal data. */
function toShown(letter: DeadLetter): ShownDeadLetter {
  const body = fieldsIn(letter.body);
  // A fact has its ids in `data`, an audited call in itself and `target`, and a webhook of LiveKit names the room by our id.
  const [data, target, room] = [fieldsOf(body['data']), fieldsOf(body['target']), fieldsOf(body['room'])];
  return {
    deadLetterId: idOf(letter.sequence),
    consumer: letter.consumer,
    subject: letter.originalSubject,
    originalSequence: letter.originalSequence || null,
    type: textOf(body['type'] ?? body['event'] ?? body['operation']),
    messageId: textOf(body['id']),
    organizationId: textOf(data['organizationId'] ?? body['organizationId']),
    roomId: textOf(data['roomId'] ?? target['roomId']),
    sid: textOf(data['sid'] ?? target['sid'] ?? room['name']),
    error: letter.reason,
    attempts: letter.attempts ?? null,
    traceId: letter.traceparent?.split('-')[1] ?? null,
    bytes: Buffer.byteLength(letter.body),
    setAsideAt: letter.setAsideAt,
  };
}

/** A message may have been given up because it is not JSON. */
function fieldsIn(body: string): Fields {
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return {};
  }
}

const fieldsOf = (value: unknown) => (typeof value === 'object' && value !== null ? value : {}) as Fields;

/** Ids have at most 256 characters. Anything longer is none. */
const textOf = (value: unknown) => (typeof value === 'string' && value.length <= 256 ? value : null);

/** The number of a page's last dead letter. */
const cursors = cursorOf(z.number().int().min(1));

@Injectable()
export class ListDeadLetters {
  constructor(private readonly letters: DeadLetters) {}

  /** @throws AppError VALIDATION_FAILED if the cursor is invalid */
  @Handles(listDeadLetters)
  async list({ cursor, limit }: RpcInput<typeof listDeadLetters>) {
    const found = await this.letters.page(limit + 1, cursor === undefined ? undefined : cursors.decode(cursor));
    const deadLetters = fitMessage(found.slice(0, limit).map(toShown));
    const last = found.length > deadLetters.length ? found[deadLetters.length - 1] : undefined;
    return { deadLetters, pagination: { nextCursor: last ? cursors.encode(last.sequence) : null, hasMore: last !== undefined } };
  }

  /** @throws AppError DEAD_LETTER_NOT_FOUND */
  @Handles(getDeadLetter)
  async get({ deadLetterId }: RpcInput<typeof getDeadLetter>) {
    const letter = await this.letters.get(sequenceOf(deadLetterId));
    if (!letter) throw new AppError('DEAD_LETTER_NOT_FOUND');
    return toShown(letter);
  }
}

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
