import { join } from 'node:path';
import { MESSAGING_MIGRATIONS } from '@classroom/messaging/migrations';
import { migrateFromEnvironment } from '@classroom/persistence/migrate-from-environment';

migrateFromEnvironment('room', [MESSAGING_MIGRATIONS, join(__dirname, '..', 'migrations')]);
