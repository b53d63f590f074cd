import { Confirm } from '@classroom/page/Dialog';
import type { InputOf } from '@classroom/page/typed-calls';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api } from '../api/client.js';
import { queries, queryClient } from '../api/queries.js';
import type { ApiKey } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { KeyLine } from '../parts/KeyLine.js';
import { Empty, Failure, Loaded } from '../parts/Loaded.js';
import { Panel } from '../parts/Page.js';

type NewKey = InputOf<'provisionApiKey'>;
type Scope = NewKey['scopes'][number];

// A record, so that a new scope without an entry does not compile.
const SCOPES = Object.keys({
  'rooms:read': true,
  'rooms:write': true,
  'chat:read': true,
  'reports:read': true,
  'recordings:read': true,
  'recordings:write': true,
  'recordings:manage': true,
  'videos:read': true,
  'videos:write': true,
  'billing:read': true,
  'billing:manage': true,
  'ai:use': true,
  'events:read': true,
  'webhooks:manage': true,
  'keys:manage': true,
  'dashboard:issue': true,
  'privacy:manage': true,
  'audit:read': true,
} satisfies Record<Scope, true>) as Scope[];

/** The API keys of an organization: what each may do and when it was used. */
export function ApiKeys({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const keys = useQuery(queries.organizationApiKeys(organizationId));
  const [revoking, setRevoking] = useState<ApiKey>();
  const refresh = () => queryClient.invalidateQueries(queries.organizationApiKeys(organizationId));
  const create = useMutation({
    mutationFn: (key: Omit<NewKey, 'organizationId'>) => api.provisionApiKey({ organizationId, ...key }),
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
                <KeyLine key={key.keyId} apiKey={key}>
                  <button
                    type="button"
                    className="button"
                    data-action="revoke-key"
                    aria-label={t('apiKeys.revoke', { name: key.name })}
                    onClick={() => setRevoking(key)}
                  >
                    {t('operator.revoke')}
                  </button>
                </KeyLine>
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewKeyForm create={create.mutate} isPending={create.isPending} created={create.data?.keyId} />
      {create.data && (
        <p role="status" className="secret">
          {t('apiKeys.shownOnce')} <code>{create.data.secret}</code>
        </p>
      )}
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

interface NewKeyFormProps {
  create: (key: Omit<NewKey, 'organizationId'>) => void;
  isPending: boolean;
  /** The key that was created last. Another one empties the form. */
  created: string | undefined;
}

function NewKeyForm({ create, isPending, created }: NewKeyFormProps) {
  const { t } = useTranslation();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const expires = String(data.get('expires'));
    create({
      name: String(data.get('name')),
      scopes: SCOPES.filter((scope) => data.has(scope)),
      // The end of that day where the operator is.
      ...(expires ? { expiresAt: new Date(`${expires}T23:59:59`).toISOString() } : {}),
    });
  };
  const [count, setCount] = useState(0);
  return (
    <form
      key={created}
      className="fields"
      aria-label={t('apiKeys.new')}
      onSubmit={submit}
      onReset={() => setCount(0)}
      onChange={({ currentTarget }) => setCount(currentTarget.querySelectorAll(':checked').length)}
    >
      <label className="field">
        {t('apiKeys.name')}
        <input name="name" type="text" required maxLength={128} />
      </label>
      <fieldset className="checks">
        <legend>{t('apiKeys.scopes')}</legend>
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input type="checkbox" name={scope} />
            <code>{scope}</code>
          </label>
        ))}
      </fieldset>
      <label className="field">
        {t('apiKeys.expiry')}
        <input name="expires" type="date" />
      </label>
      <button type="submit" className="button" data-action="new-key" disabled={isPending || count === 0}>
        {t('apiKeys.new')}
      </button>
    </form>
  );
}
