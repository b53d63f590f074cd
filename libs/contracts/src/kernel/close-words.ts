/** How many letters may differ: short words are close to too many others. */
const tolerance = (a: string, b: string) => {
  const length = Math.max(a.length, b.length);
  return length < 4 ? 0 : length < 6 ? 1 : 2;
};

const plain = (word: string) => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Whether two names are the same except for case, hyphens and underscores. */
export const isSameWord = (a: string, b: string): boolean => plain(a) === plain(b);

/** @returns the name that differs least, in its case, its separators, or one or two letters; undefined if none is that close */
export function closestTo(word: string, names: readonly string[]): string | undefined {
  const given = plain(word);
  let closest: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const known = plain(name);
    const distance = distanceOf(given, known);
    if (distance <= tolerance(given, known) && distance < least) [closest, least] = [name, distance];
  }
  return closest;
}

/** Letters to insert, remove, replace, or exchange with their neighbor (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + (isSame ? 0 : 1));
      row.push(isExchanged ? Math.min(least, at(before, j - 2) + 1) : least);
    }
    [before, above] = [above, row];
  }
  return at(above, b.length);
}

const at = (row: readonly number[], index: number) => row[index] ?? Infinity;
