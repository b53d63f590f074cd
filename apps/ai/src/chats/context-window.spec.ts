import type { TurnRow } from './chats.repository.js';
import { dueForSummary, toExtract, fitTurns, shorten, toDialogueTurn } from './context-window.js';

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

describe('the turns of a dialogue for a prompt', () => {
  it('are all turns if they fit', () => {
    expect(indexes(fitTurns(turns(4), 200).included)).toEqual([0, 1, 2, 3]);
  });

  it('are the newest without a gap, and the others are returned as cut', () => {
    const { included, omitted } = fitTurns(turns(6), 120);
    expect(indexes(included)).toEqual([4, 5]);
    expect(indexes(omitted)).toEqual([0, 1, 2, 3]);
  });

  it('end at a turn that is too large, even if older ones would fit', () => {
    const rows = [turn(0), turn(1, { question: 'q'.repeat(10_000) }), turn(2)];
    expect(indexes(fitTurns(rows, 200).included)).toEqual([2]);
  });

  it('state whether an answer is missing or broke off, and whether an image was shown', () => {
    expect(toDialogueTurn(turn(0, { answer: ' ', state: 'failed' })).answer).toBe('(no answer was given)');
    expect(toDialogueTurn(turn(0, { answer: 'Half', state: 'cut_off' })).answer).toBe('Half (the answer broke off here)');
    expect(toDialogueTurn(turn(0, { hasImage: true })).question).toContain('An image was shown');
  });
});

describe('the turns to summarize', () => {
  it('are none while a quarter of the context is free', () => {
    expect(dueForSummary(turns(3), 200)).toEqual([]);
  });

  it('are the older ones, before any turn has to be cut', () => {
    const rows = turns(4);
    const due = dueForSummary(rows, 200);
    expect(indexes(due)).toEqual([0, 1]);
    expect(fitTurns(rows, 200).omitted).toEqual([]);
  });

  it('can be summarized without a model', () => {
    expect(toExtract([turn(0, { question: 'Who was\nGoethe?', answer: 'A poet.' })])).toBe('- Asked: Who was Goethe? Answered: A poet.');
  });

  it('are shortened between words, and never within a character', () => {
    expect(shorten('one two three', 9)).toBe('one two…');
    expect(shorten('😀😀😀', 3).isWellFormed()).toBe(true);
  });
});
