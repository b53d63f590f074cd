import { join } from 'node:path';
import { MESSAGING_MIGRATIONS } from '@classroom/messaging';
import { migrateFromEnvironment } from '@classroom/persistence';

migrateFromEnvironment('ai', [MESSAGING_MIGRATIONS, join(__dirname, '..', 'migrations')]);
