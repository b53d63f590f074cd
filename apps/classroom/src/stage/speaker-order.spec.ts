import { HOLD_MS, NO_ORDER, promoteSpeakers, selectMainSpeaker, type Order } from './speaker-order.js';

const present = ['a', 'b', 'c', 'd', 'e'];
const step = (order: Order, now: number, speaking: string[], here = present) =>
  promoteSpeakers(order, { present: here, speaking: new Set(speaking), pageSize: 3, now });

describe('the order of tiles', () => {
  it('is the order of arrival, and does not change while only participants on the first page speak', () => {
    const order = step(step(NO_ORDER, 0, []), 5_000, ['b', 'c']);
    expect(order.keys).toEqual(present);
  });

  it('moves a speaker to the first page, to the place of the participant who was silent longest', () => {
    let order = step(NO_ORDER, 0, ['a']);
    order = step(order, 3_000, ['c']);
    expect(step(order, 10_000, ['e']).keys).toEqual(['a', 'e', 'c', 'd', 'b']);
  });

  it('keeps a participant on the first page who spoke or moved there within two seconds', () => {
    let order = step(NO_ORDER, 0, ['a', 'b', 'c']);
    order = step(order, HOLD_MS - 1, ['e']);
    expect(order.keys).toEqual(present);
    expect(order.isWaiting).toBe(true);
    order = step(order, HOLD_MS, ['e']);
    expect(order.keys.slice(0, 3)).toContain('e');
    expect(order.isWaiting).toBe(false);
    expect(step(order, HOLD_MS + 500, ['d']).keys.slice(0, 3)).toContain('e');
  });

  it('moves participants up when another leaves, and adds new ones at the end', () => {
    const order = step(step(NO_ORDER, 0, []), 10, [], ['a', 'c', 'd', 'e', 'f']);
    expect(order.keys).toEqual(['a', 'c', 'd', 'e', 'f']);
  });
});

describe('the speaker view', () => {
  const select = (mainSpeaker: { key: string | undefined; since: number }, now: number, speaking: string[], here = present) =>
    selectMainSpeaker(mainSpeaker, { present: here, speaking: new Set(speaking), now });

  it('begins with the speaker, else with the first participant', () => {
    expect(select({ key: undefined, since: 0 }, 5, ['c']).key).toBe('c');
    expect(select({ key: undefined, since: 0 }, 5, []).key).toBe('a');
  });

  it('follows another speaker, but not within two seconds nor while the first still speaks', () => {
    const mainSpeaker = { key: 'a', since: 1_000 };
    expect(select(mainSpeaker, 1_500, ['b']).key).toBe('a');
    expect(select(mainSpeaker, 9_000, ['a', 'b']).key).toBe('a');
    expect(select(mainSpeaker, 9_000, ['b'])).toEqual({ key: 'b', since: 9_000 });
    expect(select(mainSpeaker, 9_000, [])).toEqual(mainSpeaker);
  });

  it('shows another participant when its speaker leaves', () => {
    expect(select({ key: 'a', since: 0 }, 100, [], ['b', 'c']).key).toBe('b');
  });
});
