import { join } from 'node:path';

/** The SQL of outbox and inbox, applied in every schema whose service publishes or consumes facts. */
export const MESSAGING_MIGRATIONS = join(__dirname, '..', 'migrations');
