import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { queries, type WebhookEndpoint } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Failure, Loaded, Panel } from '../parts/Page.js';

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

const DAY_MS = 86_400_000;
/** How long before credits are used up, or a key expires, it is shown. */
const SOON_MS = 14 * DAY_MS;

const isSoon = (time: string | null | undefined) => Boolean(time) && Date.parse(time ?? '') < Date.now() + SOON_MS;

/** What staff should look at: credits, and for owners webhooks that fail and keys that expire. */
export function AttentionPanel() {
  const { t } = useTranslation();
  const profile = useQuery(queries.profile);
  return (
    <Panel title={t('attention.title')}>
      <div className="attention">
        <Loaded of={profile}>{({ role }) => <Findings isOwner={role === 'OWNER'} />}</Loaded>
      </div>
    </Panel>
  );
}

function Findings({ isOwner }: { isOwner: boolean }) {
  const { t } = useTranslation();
  const { near } = useFormat();
  const usage = useQuery(queries.usage);
  const endpoints = useQuery({ ...queries.webhookEndpoints, enabled: isOwner });
  const keys = useQuery({ ...queries.apiKeys, enabled: isOwner });
  const found: [id: string, content: ReactNode][] = [];
  const { balance } = usage.data ?? {};
  if (balance?.type === 'PREPAID') {
    const zeroAt = balance.forecast && 'reachesZeroAt' in balance.forecast ? balance.forecast.reachesZeroAt : null;
    if (balance.isOverconsumed)
      found.push([
        'credits',
        <Link key="credits" to="/ledger">
          {t('attention.overconsumed')}
        </Link>,
      ]);
    else if (zeroAt && isSoon(zeroAt))
      found.push([
        'credits',
        <Link key="credits" to="/usage">
          {t('attention.zero', { time: near(zeroAt) })}
        </Link>,
      ]);
  }
  for (const endpoint of endpoints.data ?? []) {
    const state = endpointState(endpoint);
    const { endpointId, url } = endpoint;
    if (state === 'struggling' || state === 'gone' || state === 'failing')
      found.push([
        endpointId,
        <span key={endpointId}>
          <Link to="/integration/$endpointId" params={{ endpointId }}>
            {t('attention.webhook', { url })}
          </Link>{' '}
          <span className="quiet">
            {t(`integration.endpointStates.${state}`, { time: near(endpoint.failingSince ?? endpoint.createdAt) })}
          </span>
        </span>,
      ]);
  }
  for (const { keyId, name, expiresAt } of keys.data ?? [])
    if (expiresAt && isSoon(expiresAt))
      found.push([
        keyId,
        <Link key={keyId} to="/integration">
          {t('attention.key', { name, time: near(expiresAt) })}
        </Link>,
      ]);
  const isPending = usage.isPending || (isOwner && (endpoints.isPending || keys.isPending));
  const failed = [usage, endpoints, keys].find(({ error, data }) => error && data === undefined);
  if (failed) return <Failure error={failed.error} retry={() => void failed.refetch()} />;
  if (found.length === 0)
    return (
      <p className="state quiet" role="status">
        {isPending ? (
          t('loading')
        ) : (
          <>
            <CircleCheck className="good" aria-hidden /> {t('attention.nothing')}
          </>
        )}
      </p>
    );
  return (
    <ul className="lines">
      {found.map(([id, content]) => (
        <li key={id}>
          <TriangleAlert className="danger-text" aria-hidden />
          <span className="wrap">{content}</span>
        </li>
      ))}
    </ul>
  );
}
