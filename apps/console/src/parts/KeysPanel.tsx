import { Confirm } from '@classroom/page/Dialog';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { InputOf } from '@classroom/page/typed-calls';
import type { ApiKey } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Empty, Failure, Loaded, Panel, ShownOnce } from './Page.js';

interface KeysPanelProps {
  keys: UseQueryResult<ApiKey[]>;
  /** Reads the keys again after a change. */
  refresh(): Promise<void>;
  create(key: NewKey): Promise<{ keyId: string; secret: string }>;
  revoke(keyId: string): Promise<unknown>;
  note: string;
  /** What is shown in place of an empty list. */
  none: string;
  hasDetails?: boolean;
}

/** The API keys of an organization: what each may do and when it was used, a form for another one, and a question before one is revoked. */
export function KeysPanel({ keys, refresh, note, none, hasDetails = false, ...calls }: KeysPanelProps) {
  const { t } = useTranslation();
  const [revoking, setRevoking] = useState<ApiKey>();
  const create = useMutation({ mutationFn: calls.create, onSuccess: refresh });
  const revoke = useMutation({ mutationFn: calls.revoke, onSuccess: refresh });
  const failure = create.error ?? revoke.error;
  return (
    <Panel title={t('apiKeys.title')} note={note}>
      <Loaded of={keys}>
        {(list) =>
          list.length === 0 ? (
            <Empty>{none}</Empty>
          ) : (
            <ul className="lines">
              {list.map((key) => (
                <KeyLine key={key.keyId} apiKey={key} revoke={() => setRevoking(key)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewKeyForm create={create.mutate} isPending={create.isPending} created={create.data?.keyId} />
      {create.data && <ShownOnce text={t('apiKeys.shownOnce')} value={create.data.secret} />}
      {failure && <Failure error={failure} hasDetails={hasDetails} />}
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

/** An API key in a list: what it may do, when it was used, and until when it is valid. */
function KeyLine({ apiKey, revoke }: { apiKey: ApiKey; revoke(): void }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const { keyId, name, prefix, scopes, createdAt, expiresAt, lastUsedAt, previousSecretExpiresAt } = apiKey;
  return (
    <li data-key={keyId}>
      <strong>{name}</strong>
      <code>{prefix}…</code>
      <span className="quiet">{t('operator.createdAt', { time: moment(createdAt) })}</span>
      <span className="quiet">{lastUsedAt ? t('operator.usedAt', { time: moment(lastUsedAt) }) : t('operator.neverUsed')}</span>
      {expiresAt && <span className="quiet">{t('apiKeys.expires', { time: moment(expiresAt) })}</span>}
      {previousSecretExpiresAt && <span className="quiet">{t('apiKeys.rotated', { time: moment(previousSecretExpiresAt) })}</span>}
      <span className="quiet small wide">{scopes.join(', ')}</span>
      <button type="button" className="button" data-action="revoke-key" aria-label={t('apiKeys.revoke', { name })} onClick={revoke}>
        {t('operator.revoke')}
      </button>
    </li>
  );
}

type NewKey = InputOf<'createApiKey'>;
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

interface NewKeyFormProps {
  create: (key: NewKey) => void;
  isPending: boolean;
  /** The key that was created last. Another one empties the form. */
  created: string | undefined;
}

/** Asks for name, scopes and expiry of an API key. */
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
