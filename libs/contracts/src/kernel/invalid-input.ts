import type { z } from 'zod';
import { AppError, type ErrorDetail } from './app-error.js';

/** Converts a zod error into a 400: every invalid field with its path; the message describes the first one. @param others further details */
export function validationError(error: z.ZodError, others: readonly ErrorDetail[] = []): AppError {
  const details = error.issues.map((issue) => ({ path: issue.path.join('.'), message: predicate(issue) }));
  return new AppError('VALIDATION_FAILED', { details: [...details, ...others] });
}

/** A 400 of the same shape for one field, when only the code that uses the value can check it. */
export const invalidField = (path: string, message: string, cause?: unknown) =>
  new AppError('VALIDATION_FAILED', { details: [{ path, message }], cause });

/** What is wrong with the field, without its name. Zod's own messages are written for programmers. */
function predicate(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is required' : `must be ${withArticle(issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    default:
      return issue.message;
  }
}

const unitOf = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '');

const withArticle = (type: string) =>
  type === 'int' ? 'a whole number' : type === 'record' ? 'an object' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
