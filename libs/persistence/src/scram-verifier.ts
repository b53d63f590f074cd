import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** Postgres's own number (`scram_iterations`). */
const ITERATIONS = 4096;

/**
 * What Postgres keeps of a password (`SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>`, RFC 5803), and takes in its
 * place: it can't be logged in with.
 */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  // As SASLprep has it; for what a keyboard of ASCII can type it changes nothing.
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const keyFor = (whose: string) => createHmac('sha256', salted).update(whose).digest();
  const stored = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyFor('Server Key').toString('base64')}`;
}
