import { dropOrder, rankOf } from './drop-order.js';

const order = (ids: string[], teaches: boolean) =>
  dropOrder(ids.map((id) => ({ id, ...(rankOf(id, teaches) !== undefined && { rank: rankOf(id, teaches) as number }) })));

describe('a bar that is too narrow', () => {
  const all = ['microphone', 'camera', 'share', 'hand', 'reactions', 'layout', 'record', 'people', 'chat', 'polls', 'tutor'];

  it('keeps what who teaches needs longest, and never loses microphone, camera, people and chat', () => {
    expect(order(all, true)).toEqual(['layout', 'hand', 'reactions', 'tutor', 'record', 'polls', 'share']);
  });

  it('never loses the hand of a student', () => {
    expect(order(['hand', 'reactions', 'layout', 'people', 'chat', 'polls', 'tutor'], false)).toEqual([
      'layout',
      'polls',
      'reactions',
      'tutor',
    ]);
  });

  it('keeps what has no rank, such as what stops a recording', () => {
    expect(dropOrder([{ id: 'record' }, { id: 'share', rank: 1 }, { id: 'layout', rank: 0 }])).toEqual(['layout', 'share']);
  });
});
