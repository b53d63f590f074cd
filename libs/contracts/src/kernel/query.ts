import { z } from 'zod';

interface Bounds {
  min: number;
  max?: number;
}

/** A whole number as a query writes it: in digits, and as nothing else that JavaScript would take for a number. */
export const queryInteger = ({ min, max = Number.MAX_SAFE_INTEGER }: Bounds) =>
  z.preprocess((value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value), z.int().min(min).max(max));

/** The same, where it may be left out. */
export const queryIntegerOr = (fallback: number, bounds: Bounds) => queryInteger(bounds).default(fallback);
