import type { Provider } from '@nestjs/common';
import { ResealKeys } from './reseal-keys.js';
import { SettingsRepository } from './settings.repository.js';
import { UpdateSettings } from './update-settings.js';

export { SettingsRpc } from './settings.rpc.js';
export { PriceTable } from './price-table.js';

export const settingsProviders: Provider[] = [SettingsRepository, UpdateSettings, ResealKeys];
