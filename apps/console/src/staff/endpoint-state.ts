import type { WebhookEndpoint } from '../api/types.js';

type State = 'enabled' | 'struggling' | NonNullable<WebhookEndpoint['disabledReason']>;
/** Whether events reach the endpoint. */
export const endpointState = ({
  isEnabled,
  disabledReason,
  failingSince,
}: Pick<WebhookEndpoint, 'isEnabled' | 'disabledReason' | 'failingSince'>): State => {
  if (!isEnabled) return disabledReason ?? 'requested';
  return failingSince ? 'struggling' : 'enabled';
};
