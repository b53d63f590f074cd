import { z } from 'zod';

/**
 * Objects that the API reference lists once, under a name. Not `.meta({ id })`: contracts are compared with the last release as whole
 * schemas, without references.
 */
export const NAMES = z.registry<{ id: string; description: string }>();

/**
 * What a refinement requires, as JSON Schema for the API reference. Not `.meta`: contracts are compared with the last release by
 * what they accept, and documenting an existing refinement must not look like a narrowing.
 */
export const schemaHints = z.registry<Record<string, unknown>>();

/** At least one of these fields is required; other fields do not matter. */
export const atLeastOneOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });

/** For a refinement: a change that changes something. Its message names the fields. */
export const givesSome = (...names: readonly string[]) =>
  [
    (body: object) => Object.values(body).some((value) => value !== undefined),
    `${names.slice(0, -1).join(', ')} or ${names.at(-1)} must be given`,
  ] as const;
