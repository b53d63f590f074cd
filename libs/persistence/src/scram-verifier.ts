import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** Postgres's default (`scram_iterations`). */
const ITERATIONS = 4096;

/**
 * The verifier that Postgres stores for a password (`SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>`, RFC 5803) and
 * accepts in place of it. It cannot be used to log in.
 */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  // SASLprep requires this normalization; it does not change ASCII passwords.
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const keyFor = (whose: string) => createHmac('sha256', salted).update(whose).digest();
  const stored = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyFor('Server Key').toString('base64')}`;
}
