import type { TurnRow } from './chats.repository.js';
import { dueForSummary, extractOf, fitTurns, shorten, toSpoken } from './memory.js';

/** Each turn weighs about 50 tokens. */
const turn = (dialogIndex: number, overrides: Partial<TurnRow> = {}): TurnRow => ({
  turnId: String(dialogIndex),
  dialogIndex,
  question: 'q'.repeat(100),
  answer: 'a'.repeat(100),
  hasImage: false,
  state: 'finished',
  ...overrides,
});
const turns = (count: number) => Array.from({ length: count }, (_, index) => turn(index));
const indexes = (rows: TurnRow[]) => rows.map((row) => row.dialogIndex);

describe('what of a dialogue is told', () => {
  it('is all of it while it fits', () => {
    expect(indexes(fitTurns(turns(4), 200).told)).toEqual([0, 1, 2, 3]);
  });

  it('is the newest without a gap, and the rest is known', () => {
    const { told, cut } = fitTurns(turns(6), 120);
    expect(indexes(told)).toEqual([4, 5]);
    expect(indexes(cut)).toEqual([0, 1, 2, 3]);
  });

  it('ends at a turn that is too large, though older ones would fit', () => {
    const rows = [turn(0), turn(1, { question: 'q'.repeat(10_000) }), turn(2)];
    expect(indexes(fitTurns(rows, 200).told)).toEqual([2]);
  });

  it('says of what was never answered that it was not', () => {
    expect(toSpoken(turn(0, { answer: ' ', state: 'failed' })).answer).toBe('(no answer was given)');
    expect(toSpoken(turn(0, { answer: 'Half', state: 'cut_off' })).answer).toBe('Half (the answer broke off here)');
    expect(toSpoken(turn(0, { hasImage: true })).question).toContain('An image was shown');
  });
});

describe('what is summarized', () => {
  it('is nothing while a quarter is free', () => {
    expect(dueForSummary(turns(3), 200)).toEqual([]);
  });

  it('is the older part, before any of it has to be cut', () => {
    const rows = turns(4);
    const due = dueForSummary(rows, 200);
    expect(indexes(due)).toEqual([0, 1]);
    expect(fitTurns(rows, 200).cut).toEqual([]);
  });

  it('can do without a model', () => {
    expect(extractOf([turn(0, { question: 'Who was\nGoethe?', answer: 'A poet.' })])).toBe('- Asked: Who was Goethe? Answered: A poet.');
  });

  it('is shortened between words, and never within a character', () => {
    expect(shorten('one two three', 9)).toBe('one two…');
    expect(shorten('😀😀😀', 3).isWellFormed()).toBe(true);
  });
});
