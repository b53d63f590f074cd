import { Injectable } from '@nestjs/common';
import { AppError, getDeadLetter, listDeadLetters, type RpcInput } from '@classroom/contracts';
import { DeadLetters, fitMessage, Handles } from '@classroom/messaging';
import { cursorOf } from '@classroom/persistence';
import { z } from 'zod';
import { sequenceOf, toShown } from './to-shown.js';

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
