import type { Result } from '../load/results.ts';

/** What one part of the benchmark measured. */
export interface Measurement {
  print: () => void;
  /** Comparisons with bare parts. */
  results: Result[];
}
