import { lanesOf, periodOf, presenceOf, type Stay } from './timeline.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 15, 9) + seconds * 1000).toISOString();
const ms = (seconds: number) => Date.parse(at(seconds));
const stay = (uid: string, from: number, to: number | null): Stay => ({
  connectionSid: `PA_${uid}_${from}`,
  uid,
  name: `Name of ${uid}`,
  role: 'STUDENT',
  joinedAt: at(from),
  leftAt: to === null ? null : at(to),
});

describe('the timeline of a class', () => {
  it('is from the first join to the last leave', () => {
    expect(periodOf([stay('bob', 20, 40), stay('ada', 0, 100)], ms(500))).toEqual({ start: ms(0), end: ms(100) });
  });

  it('continues to now while someone is connected, and does not exist before the first join', () => {
    expect(periodOf([stay('ada', 0, null)], ms(60))).toEqual({ start: ms(0), end: ms(60) });
    expect(periodOf([], ms(60))).toBeUndefined();
  });

  it('has a lane for each participant, with a bar for each stay', () => {
    const stays = [stay('bob', 50, 100), stay('ada', 0, 100), stay('bob', 10, 20)];
    const lanes = lanesOf(stays, { start: ms(0), end: ms(100) });
    expect(lanes.map(({ uid, seconds }) => [uid, seconds])).toEqual([
      ['ada', 100],
      ['bob', 60],
    ]);
    expect(lanes[1]?.bars.map(({ from, length }) => [from, length])).toEqual([
      [0.1, 0.1],
      [0.5, 0.5],
    ]);
  });

  it('counts how many were there from each moment on', () => {
    const stays = [stay('ada', 0, 100), stay('bob', 10, 20), stay('cleo', 20, 60)];
    expect(presenceOf(stays, { start: ms(0), end: ms(100) })).toEqual({
      times: [0, 10, 20, 60, 100].map((seconds) => ms(seconds) / 1000),
      counts: [1, 2, 2, 1, 0],
    });
  });

  it('counts someone with two connections once, and an open stay up to the end', () => {
    const stays = [stay('ada', 0, 30), stay('ada', 20, null)];
    expect(presenceOf(stays, { start: ms(0), end: ms(50) }).counts).toEqual([1, 1, 1, 0]);
  });
});
