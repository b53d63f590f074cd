import { baseConfig, loadConfig } from '@classroom/platform';
import { persistenceConfig } from '@classroom/persistence';
import type { z } from 'zod';

const schema = baseConfig.extend(persistenceConfig.shape);
export type OrganizationConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
