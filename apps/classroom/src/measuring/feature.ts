import type { Feature } from '../app/feature.js';
import { Measurements } from './measurements.js';

/** What the page measures while it is connected. */
export const measuring: Feature = { Part: Measurements };
