import { z } from 'zod';

/**
 * What a refinement asks for, as JSON Schema, for the reference to tell it. Not `.meta`: against the last release
 * contracts are compared by what they took, and a refinement that always stood there is no narrowing.
 */
export const TOLD = z.registry<Record<string, unknown>>();

/** At least one of these fields, whatever else there is. */
export const oneOfThese = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });
