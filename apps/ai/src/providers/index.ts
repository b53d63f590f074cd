import type { Provider } from '@nestjs/common';
import { Providers } from './providers.js';

export { Providers, type OrganizationAi } from './providers.js';
export { MATERIAL_HEADING } from './offline/known-sentences.js';
export { estimateRequest, estimateTokens } from './token-estimate.js';

export const providerProviders: Provider[] = [Providers];
