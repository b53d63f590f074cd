/** @returns the first dotted number in it, such as [18, 4] */
export function parse(text: string): number[] | undefined {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return found
    ? found
        .slice(1)
        .filter((part) => part !== undefined)
        .map(Number)
    : undefined;
}

/** @returns a negative number if a is older than b, 0 if they are equal @param b the version to compare with */
export function compare(a: string, b: string) {
  const [x, y] = [parse(a) ?? [], parse(b) ?? []];
  for (let i = 0; i < 3; i += 1) {
    if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) - (y[i] ?? 0);
  }
  return 0;
}

export function isWithin(version: string, { min, below }: { min: string; below: string }) {
  return parse(version) !== undefined && compare(version, min) >= 0 && compare(version, below) < 0;
}
