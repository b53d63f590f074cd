import { z } from 'zod';

/**
 * Objects that the API reference lists once, under a name. Not `.meta({ id })`: contracts are compared with the last release as whole
 * schemas, without references.
 */
export const NAMES = z.registry<{ id: string; description: string }>();
