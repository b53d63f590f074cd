/** The top position of each row, followed by the total height. */
export function rowOffsets(heights: readonly number[]): number[] {
  let top = 0;
  return [0, ...heights.map((height) => (top += height))];
}

/** The first and the last (exclusive) row that overlap the range `from` to `to`. */
export function visibleRange(offsets: readonly number[], from: number, to: number): [first: number, end: number] {
  const last = Math.max(0, offsets.length - 2);
  const first = rowAt(offsets, from, last);
  return [first, offsets.length < 2 ? 0 : rowAt(offsets, to, last) + 1];
}

function rowAt(offsets: readonly number[], y: number, last: number): number {
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((offsets[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
