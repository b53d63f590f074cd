import '@classroom/platform/telemetry';
import { boot } from '@classroom/platform';
import { readConfig } from './config.js';
import { startServer } from './server.js';

void boot(readConfig, startServer);
