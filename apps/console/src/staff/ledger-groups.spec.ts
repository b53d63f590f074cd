import { groupByClass } from './ledger-groups.js';

const entry = (entryId: string, sid: string | null, credits: number) => ({ entryId, sid, credits, amount: credits / 100, kind: 'CHARGE' });

it('the ledger has one line for each class, at its newest charge, and one for each other entry', () => {
  const entries = [entry('e6', 'RM_b', -2), entry('e5', 'RM_a', -3), entry('e4', null, 500), entry('e3', 'RM_b', -1), entry('e2', null, 7)];
  expect(groupByClass(entries).map(({ newest, count, credits, amount }) => [newest.entryId, count, credits, amount])).toEqual([
    ['e6', 2, -3, -0.03],
    ['e5', 1, -3, -0.03],
    ['e4', 1, 500, 5],
    ['e2', 1, 7, 0.07],
  ]);
  expect(groupByClass([])).toEqual([]);
});
