import type { PlanEntity } from '../schema/plan.entity.js';
import { unopenedPeriods } from './apply-plan.js';

/** `P`: prepaid and opened, `p`: prepaid and not opened, `x`: postpaid. The position is the time. */
const plansOf = (text: string): PlanEntity[] =>
  [...text].map((letter, n) => ({
    organizationId: 'school',
    updatedAt: new Date(n),
    billingType: letter === 'x' ? 'POSTPAID' : 'PREPAID',
    openingCredits: 100,
    creditRate: '1',
    currency: 'USD',
    balance: 0,
    isOpened: letter === 'P',
  }));

describe('opening credits', () => {
  it.each<[string, string, { at: number; isPresent: boolean }[]]>([
    ['of a first prepaid plan', 'p', [{ at: 0, isPresent: true }]],
    ['of a prepaid plan that continues', 'Pppp', []],
    ['of one whose later state came first', 'pP', []],
    ['of a postpaid plan', 'xx', []],
    ['of a second prepaid period', 'Pxp', [{ at: 2, isPresent: true }]],
    ['of a second one that was opened when nothing was known of the first', 'pxP', [{ at: 0, isPresent: false }]],
    ['of a prepaid period between two postpaid ones', 'xppx', [{ at: 1, isPresent: false }]],
    [
      'of several',
      'pxpxPp',
      [
        { at: 0, isPresent: false },
        { at: 2, isPresent: false },
      ],
    ],
  ])('%s: %s', (_, text, expected) => {
    expect(unopenedPeriods(plansOf(text)).map(({ first, isPresent }) => ({ at: first.updatedAt.getTime(), isPresent }))).toEqual(expected);
  });
});
