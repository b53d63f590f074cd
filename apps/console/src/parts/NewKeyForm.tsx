import type { InputOf } from '@classroom/page/typed-calls';
import { useState, type FormEvent } from 'react';
import { useTranslation } from '../i18n/index.js';

export type NewKey = InputOf<'createApiKey'>;
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
export function NewKeyForm({ create, isPending, created }: NewKeyFormProps) {
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
