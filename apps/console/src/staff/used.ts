import type { Column } from '../parts/DataTable.js';
import type { useTranslation } from '../i18n/index.js';

/** Classes of some time, and what they were charged. */
export interface Used {
  classes: number;
  credits: number;
}

export function totalOf(used: readonly Used[]): Used {
  const sum = (of: keyof Used) => used.reduce((total, one) => total + one[of], 0);
  return { classes: sum('classes'), credits: sum('credits') };
}

/** The columns of classes and credits. */
export const usedColumns = (t: ReturnType<typeof useTranslation>['t'], number: (value: number) => string): Column<Used>[] =>
  (['classes', 'credits'] as const).map((id) => ({
    id,
    header: t(`usage.${id}`),
    width: '120px',
    isNumber: true,
    sortBy: (used) => used[id],
    cell: (used) => number(used[id]),
  }));
