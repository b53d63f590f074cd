import '@classroom/platform/telemetry';
import { bootService } from '@classroom/messaging';
import { AppModule } from './app.module.js';
import { readConfig } from './config.js';

bootService(readConfig, (config) => AppModule.forRoot(config));
