import { join } from 'node:path';
import { MESSAGING_MIGRATIONS } from '@classroom/messaging/migrations';
import { migrateFromEnvironment } from '@classroom/persistence/migrate-from-environment';

migrateFromEnvironment('ai', [MESSAGING_MIGRATIONS, join(__dirname, '..', 'migrations')]);
