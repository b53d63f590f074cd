import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queries } from '../api/queries.js';
import type { WebhookEndpoint } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { KeyLine } from '../parts/KeyLine.js';
import { Empty, Loaded } from '../parts/Loaded.js';
import { Badge, Page, Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

/** What connects the school's platform: for owners only, because addresses may contain secrets. */
export function Integration() {
  const { t } = useTranslation();
  const profile = useQuery(queries.profile);
  return (
    <Page title={t('nav.integration')}>
      <Loaded of={profile}>
        {({ role }) =>
          role === 'OWNER' ? (
            <>
              <Webhooks />
              <ApiKeys />
            </>
          ) : (
            <Empty>{t('integration.owners')}</Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

function Webhooks() {
  const { t } = useTranslation();
  const endpoints = useQuery(queries.webhookEndpoints);
  return (
    <Panel title={t('integration.webhooks')} note={t('integration.webhooksNote')}>
      <Loaded of={endpoints}>
        {(list) =>
          list.length === 0 ? (
            <Empty>{t('integration.noWebhooks')}</Empty>
          ) : (
            <ul className="lines">
              {list.map((endpoint) => (
                <Endpoint key={endpoint.endpointId} endpoint={endpoint} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Endpoint({ endpoint: { endpointId, url, description, eventTypes, ...endpoint } }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const state = endpointState(endpoint);
  return (
    <li>
      <Link to="/integration/$endpointId" params={{ endpointId }} data-endpoint={endpointId}>
        {url}
      </Link>
      <Badge kind={state === 'enabled' ? 'healthy' : 'failed'}>
        {t(`integration.endpointStates.${state}`, { time: moment(endpoint.failingSince ?? endpoint.createdAt) })}
      </Badge>
      <span className="quiet">{eventTypes.length === 0 ? t('integration.allEvents') : eventTypes.join(', ')}</span>
      {description && <span className="quiet">{description}</span>}
    </li>
  );
}

type State = 'enabled' | 'struggling' | NonNullable<WebhookEndpoint['disabledReason']>;
const endpointState = ({
  isEnabled,
  disabledReason,
  failingSince,
}: Pick<WebhookEndpoint, 'isEnabled' | 'disabledReason' | 'failingSince'>): State => {
  if (!isEnabled) return disabledReason ?? 'requested';
  return failingSince ? 'struggling' : 'enabled';
};

function ApiKeys() {
  const { t } = useTranslation();
  const keys = useQuery(queries.apiKeys);
  return (
    <Panel title={t('apiKeys.title')} note={t('integration.keysNote')}>
      <Loaded of={keys}>
        {(list) =>
          list.length === 0 ? (
            <Empty>{t('integration.noKeys')}</Empty>
          ) : (
            <ul className="lines">
              {list.map((key) => (
                <KeyLine key={key.keyId} apiKey={key} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
