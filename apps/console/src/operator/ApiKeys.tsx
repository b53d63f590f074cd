import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { queries, queryClient } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { KeysPanel } from '../parts/KeysPanel.js';

export function ApiKeys({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const query = queries.organizationApiKeys(organizationId);
  return (
    <KeysPanel
      keys={useQuery(query)}
      refresh={() => queryClient.invalidateQueries(query)}
      create={(key) => api.createApiKeyForOrganization({ organizationId, ...key })}
      revoke={(keyId) => api.revokeApiKeyForOrganization({ organizationId, keyId })}
      note={t('apiKeys.note')}
      none={t('apiKeys.none')}
    />
  );
}
