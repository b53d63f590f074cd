import { mergePolls } from './merge-polls.js';

type Part = Parameters<typeof mergePolls>[0][number];

const vote = (uid: string, votedAt: string) => ({ uid, name: uid, option: 0, votedAt });
const part = (pollId: string, ...votes: Part['votes']) => ({ pollId, question: pollId, votes }) as Part;

describe('polls in several parts', () => {
  it('are joined, each with its votes in the order of time and, at the same time, of uid', () => {
    const merged = mergePolls([
      part('a', vote('zoe', '2026-01-15T09:00:00.000Z'), vote('mia', '2026-01-15T09:00:02.000Z')),
      part('b'),
      part('a', vote('ben', '2026-01-15T09:00:02.000Z'), vote('ada', '2026-01-15T09:00:01.000Z')),
    ]);
    expect(merged.map(({ pollId, question, votes }) => [pollId, question, votes.map(({ uid }) => uid)])).toEqual([
      ['a', 'a', ['zoe', 'ada', 'ben', 'mia']],
      ['b', 'b', []],
    ]);
  });
});
