import { z } from 'zod';

interface Bounds {
  min: number;
  max?: number;
}

/** A whole number in a query string: decimal digits only. Other notations that JavaScript would convert to a number are rejected. */
export const queryInteger = ({ min, max = Number.MAX_SAFE_INTEGER }: Bounds) =>
  z.preprocess((value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value), z.int().min(min).max(max));

/** As `queryInteger`, with a default. */
export const queryIntegerOr = (fallback: number, bounds: Bounds) => queryInteger(bounds).default(fallback);
