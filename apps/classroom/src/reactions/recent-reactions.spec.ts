import { reaction, START } from '../class/fake-service.js';
import { RecentReactions } from './recent-reactions.js';

describe('reactions', () => {
  beforeEach(() => jest.useFakeTimers({ now: START }));
  afterEach(() => jest.useRealTimers());

  const newReactions = () => new RecentReactions({ sessions: { now: () => Date.now() } });
  const shown = (reactions: RecentReactions) => reactions.get().shown.map(({ id }) => id);

  it('are each shown once, for about four seconds from their arrival', async () => {
    const reactions = newReactions();
    reactions.onClassUpdate({ base: 5, version: 6, reactions: [reaction('r1')] });
    await jest.advanceTimersByTimeAsync(2_000);
    reactions.onClassUpdate({ base: 5, version: 7, reactions: [reaction('r1'), reaction('r2', 2)] });
    expect(shown(reactions)).toEqual(['r1', 'r2']);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(shown(reactions)).toEqual(['r2']);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(shown(reactions)).toEqual([]);
  });

  it('are not shown if they are too old, nor after the class', () => {
    const reactions = newReactions();
    reactions.onClassUpdate({ base: 0, version: 5, reactions: [reaction('old', -11), reaction('new', -1)] });
    expect(shown(reactions)).toEqual(['new']);
    reactions.onEnd();
    expect(shown(reactions)).toEqual([]);
  });
});
