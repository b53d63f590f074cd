import { Injectable } from '@nestjs/common';
import type { ClassroomCaller } from '@classroom/contracts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooEarly } from '../interaction/chat.js';
import type { Drawn } from './board.repository.js';

const WINDOW_S = 10;
/** Kilobytes that one person draws in a window: the class page sends half of it at most. */
const PERSON_KB = 1_280;
/** Kilobytes of a class in a window. Everyone in class gets all of them. */
const CLASS_KB = 5_120;
/** Calls of a class in a window: those of ten people who draw all the time, and of many who draw now and then. */
const CLASS_CALLS = 1_000;

/**
 * Keeps one class's flood of strokes from other classes, and one person's from the class. Each process counts what it gets: with
 * several of them, a class may draw that many times as much.
 */
@Injectable()
export class BoardFlood {
  private readonly person = new RateLimiterMemory({ points: PERSON_KB, duration: WINDOW_S });
  private readonly room = new RateLimiterMemory({ points: CLASS_KB, duration: WINDOW_S });
  private readonly calls = new RateLimiterMemory({ points: CLASS_CALLS, duration: WINDOW_S });

  /** Counts a call. @param drawn none for a pointer @throws AppError RATE_LIMITED, with the seconds until the next window */
  async admit({ sid, uid }: ClassroomCaller, drawn: readonly Drawn[] = []): Promise<void> {
    const kilobytes = Math.ceil(drawn.reduce((sum, { element }) => sum + Buffer.byteLength(element ?? ''), 0) / 1_000) || 1;
    await consume(this.person, `${sid} ${uid}`, kilobytes, 'You draw too much in a short time');
    await consume(this.room, sid, kilobytes, 'Too much is drawn in this class in a short time');
    await consume(this.calls, sid, 1, 'Too many draw in this class at the same time');
  }
}

async function consume(limiter: RateLimiterMemory, key: string, points: number, message: string): Promise<void> {
  try {
    await limiter.consume(key, points);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw tooEarly(message, Math.max(refused.msBeforeNext, 1));
  }
}
