// A number in a picture that survives scaling and two lossy encoders: black and white cells next to each other.
const BITS = 16;
/** White, black, the number, its parity, black, white. The outer cells distinguish a barcode from other content. */
const CELLS = BITS + 5;
/** Position in the picture, as fractions of its height: away from the name and the rounded corners. */
const TOP = 0.42;
const HEIGHT = 0.16;
const [DARK, LIGHT] = [30, 220];
const MIDDLE = (DARK + LIGHT) / 2;

function cellsOf(number: number): boolean[] {
  const bits = Array.from({ length: BITS }, (_, i) => ((number >> i) & 1) === 1);
  return [true, false, ...bits, bits.filter(Boolean).length % 2 === 1, false, true];
}

export function drawNumber(luma: Uint8Array, width: number, height: number, number: number) {
  const cells = cellsOf(number % 2 ** BITS);
  const row = Uint8Array.from({ length: width }, (_, x) => (cells[Math.floor((x * CELLS) / width)] ? LIGHT : DARK));
  for (let y = Math.floor(height * TOP); y < height * (TOP + HEIGHT); y += 1) luma.set(row, y * width);
}

/** @returns undefined if the number can't be read */
export function readNumber(luma: Uint8Array, width: number, height: number): number | undefined {
  const y = Math.floor(height * (TOP + HEIGHT / 2)) * width;
  const cells = Array.from({ length: CELLS }, (_, i) => luma[y + Math.floor(((i + 0.5) * width) / CELLS)] > MIDDLE);
  const number = cells.slice(2, 2 + BITS).reduce((sum, isSet, i) => sum + (isSet ? 2 ** i : 0), 0);
  return cellsOf(number).every((cell, i) => cell === cells[i]) ? number : undefined;
}

/** Counts the numbers that are missing and those that appear more than once. */
export function followNumbers(numbers: (number | undefined)[]) {
  const read = numbers.filter((number) => number !== undefined);
  const steps = read.slice(1).map((number, i) => (number - read[i] + 2 ** BITS) % 2 ** BITS);
  const forward = steps.filter((step) => step < 2 ** (BITS - 1));
  return {
    unreadable: numbers.length - read.length,
    skipped: forward.reduce((sum, step) => sum + Math.max(0, step - 1), 0),
    doubled: forward.filter((step) => step === 0).length,
    backward: steps.length - forward.length,
    sources: forward.reduce((sum, step) => sum + step, 0),
  };
}
