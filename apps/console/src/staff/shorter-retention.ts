/** What a change of retention makes shorter. */
export interface Shorter<Name extends string> {
  dataClass: Name;
  before: number;
  kept: number;
}

interface Effect {
  erased: number;
  stored: number;
}

/** Above this share of what is stored, a click is not enough to erase it. */
const MOST_BY_CLICK = 0.9;

/** The times that a change makes shorter. A field that is empty or not a number changes nothing: the API refuses it. */
export function shorterIn<Name extends string>(
  saved: Readonly<Record<Name, number>>,
  changed: Partial<Record<Name, number>>,
): Shorter<Name>[] {
  return (Object.keys(saved) as Name[]).flatMap((dataClass) => {
    const [before, kept] = [saved[dataClass], changed[dataClass] ?? Number.NaN];
    return kept < before ? [{ dataClass, before, kept }] : [];
  });
}

/** The number that has to be typed before data is erased: the most of one class, if more than 90 % of a class is erased. */
export function numberToType(effects: readonly Effect[]): number | undefined {
  const many = effects.filter(({ erased, stored }) => erased > stored * MOST_BY_CLICK);
  return many.length === 0 ? undefined : many.reduce((most, { erased }) => Math.max(most, erased), 0);
}
