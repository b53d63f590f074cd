import { Confirm } from '@classroom/page/Dialog';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { queries, queryClient } from '../api/queries.js';
import type { ApiKey } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { KeyLine } from '../parts/KeyLine.js';
import { Empty, Failure, Loaded } from '../parts/Loaded.js';
import { NewKeyForm, type NewKey } from '../parts/NewKeyForm.js';
import { Panel } from '../parts/Page.js';
import { ShownOnce } from '../parts/ShownOnce.js';

/** The API keys of an organization: what each may do and when it was used. */
export function ApiKeys({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const keys = useQuery(queries.organizationApiKeys(organizationId));
  const [revoking, setRevoking] = useState<ApiKey>();
  const refresh = () => queryClient.invalidateQueries(queries.organizationApiKeys(organizationId));
  const create = useMutation({
    mutationFn: (key: NewKey) => api.provisionApiKey({ organizationId, ...key }),
    onSuccess: refresh,
  });
  const revoke = useMutation({
    mutationFn: (keyId: string) => api.revokeOrganizationApiKey({ organizationId, keyId }),
    onSuccess: refresh,
  });
  return (
    <Panel title={t('apiKeys.title')} note={t('apiKeys.note')}>
      <Loaded of={keys}>
        {({ apiKeys }) =>
          apiKeys.length === 0 ? (
            <Empty>{t('apiKeys.none')}</Empty>
          ) : (
            <ul className="lines">
              {apiKeys.map((key) => (
                <KeyLine key={key.keyId} apiKey={key} revoke={() => setRevoking(key)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewKeyForm create={create.mutate} isPending={create.isPending} created={create.data?.keyId} />
      {create.data && <ShownOnce text={t('apiKeys.shownOnce')} value={create.data.secret} />}
      {(create.error ?? revoke.error) && <Failure error={create.error ?? revoke.error} />}
      {revoking && (
        <Confirm
          title={t('apiKeys.revokeTitle', { name: revoking.name })}
          text={t('apiKeys.revokeText')}
          confirmLabel={t('operator.revoke')}
          cancelLabel={t('cancel')}
          action="confirm-revoke-key"
          onConfirm={() => revoke.mutate(revoking.keyId)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Panel>
  );
}
