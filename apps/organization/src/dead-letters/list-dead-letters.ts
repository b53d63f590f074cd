import { Injectable } from '@nestjs/common';
import { AppError, getDeadLetter, listDeadLetters, type RpcInput, type ShownDeadLetter } from '@classroom/contracts';
import { DeadLetters, fitMessage, Handles, type DeadLetter } from '@classroom/messaging';
import { cursorOf } from '@classroom/persistence';
import { z } from 'zod';

type Fields = Record<string, unknown>;

/** The number of a dead letter in the stream, with which the tool names it, in the form of an id. */
const idOf = (sequence: number) => `dl_${String(sequence).padStart(12, '0')}`;
export const sequenceOf = (deadLetterId: string) => Number(deadLetterId.slice('dl_'.length));

/** What identifies a dead letter. Of its content, ids alone: the rest is personal data. */
export function toShown(letter: DeadLetter): ShownDeadLetter {
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
