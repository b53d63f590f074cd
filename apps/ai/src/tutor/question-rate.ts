import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;
const QUESTIONS = 20;
const STUDENTS = 50_000;

/** How often one person may ask in class. Each process counts for itself: it is there against a stuck key, not for a bill. */
@Injectable()
export class QuestionRate {
  private readonly asked = new LRUCache<string, number[]>({ max: STUDENTS, ttl: WINDOW_MS });

  /** @throws AppError RATE_LIMITED */
  count(sid: string, uid: string, at = performance.now()): void {
    const key = `${sid}/${uid}`;
    const recent = (this.asked.get(key) ?? []).filter((time) => time > at - WINDOW_MS);
    if (recent.length >= QUESTIONS) throw new AppError('RATE_LIMITED', { message: 'That were many questions in a short time; wait a minute' });
    this.asked.set(key, [...recent, at]);
  }
}
