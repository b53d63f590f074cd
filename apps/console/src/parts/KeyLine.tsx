import type { ApiKey } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { useFormat } from './use-format.js';

/** An API key in a list: what it may do, when it was used, and until when it is valid. */
export function KeyLine({ apiKey, revoke }: { apiKey: ApiKey; revoke(): void }) {
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
