import { Confirm } from '@classroom/page/Dialog';
import type { InputOf } from '@classroom/page/typed-calls';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api } from '../api/client.js';
import { queries, queryClient, type WebhookEndpoint } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Empty, Failure, FirstStep, Loaded, Page, Panel, ShownOnce } from '../parts/Page.js';
import { KeysPanel } from '../parts/KeysPanel.js';
import { endpointState } from './Overview.js';

type EventTypes = NonNullable<InputOf<'createWebhookEndpoint'>['eventTypes']>;

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
  const [deleting, setDeleting] = useState<WebhookEndpoint>();
  const remove = useMutation({
    mutationFn: (endpointId: string) => api.deleteWebhookEndpoint({ endpointId }),
    onSuccess: () => queryClient.invalidateQueries(queries.webhookEndpoints),
  });
  return (
    <Panel title={t('integration.webhooks')} note={t('integration.webhooksNote')}>
      <Loaded of={endpoints}>
        {(list) =>
          list.length === 0 ? (
            <Empty>
              <FirstStep text={t('integration.noWebhooks')} />
            </Empty>
          ) : (
            <ul className="lines">
              {list.map((endpoint) => (
                <Endpoint key={endpoint.endpointId} endpoint={endpoint} remove={() => setDeleting(endpoint)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewEndpoint />
      {remove.error && <Failure error={remove.error} />}
      {deleting && (
        <Confirm
          title={t('integration.deleteTitle')}
          text={t('integration.deleteText', { url: deleting.url })}
          confirmLabel={t('integration.delete')}
          cancelLabel={t('cancel')}
          action="confirm-delete-endpoint"
          onConfirm={() => remove.mutate(deleting.endpointId)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Panel>
  );
}

/** Which addresses and event types are valid is for the API to say. */
function NewEndpoint() {
  const { t } = useTranslation();
  const create = useMutation({
    mutationFn: (endpoint: { url: string; eventTypes: EventTypes }) => api.createWebhookEndpoint(endpoint),
    onSuccess: () => queryClient.invalidateQueries(queries.webhookEndpoints),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const eventTypes = String(data.get('eventTypes'))
      .split(/[\s,]+/)
      .filter(Boolean) as EventTypes;
    create.mutate({ url: String(data.get('url')).trim(), eventTypes });
  };
  return (
    <form key={create.data?.endpointId} className="fields" aria-label={t('integration.newWebhook')} onSubmit={submit}>
      <label className="field">
        {t('integration.url')}
        <input name="url" type="url" required maxLength={2048} placeholder="https://" />
      </label>
      <label className="field">
        {t('integration.eventTypes')}
        <input name="eventTypes" type="text" placeholder="room.finished, recording.completed" />
      </label>
      <button type="submit" className="button" data-action="new-endpoint" disabled={create.isPending}>
        {t('integration.newWebhook')}
      </button>
      {create.data && <ShownOnce text={t('integration.secretOnce')} value={create.data.secret} />}
      {create.error && <Failure error={create.error} hasDetails />}
    </form>
  );
}

interface EndpointProps {
  endpoint: WebhookEndpoint;
  remove(): void;
}

function Endpoint({ endpoint: { endpointId, url, description, eventTypes, ...endpoint }, remove }: EndpointProps) {
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
      <button
        type="button"
        className="button"
        data-action="delete-endpoint"
        aria-label={t('integration.deleteOf', { url })}
        onClick={remove}
      >
        {t('integration.delete')}
      </button>
    </li>
  );
}

function ApiKeys() {
  const { t } = useTranslation();
  return (
    <KeysPanel
      keys={useQuery(queries.apiKeys)}
      refresh={() => queryClient.invalidateQueries(queries.apiKeys)}
      create={(key) => api.createApiKey(key)}
      revoke={(keyId) => api.revokeApiKey({ keyId })}
      note={t('integration.keysNote')}
      none={t('integration.noKeys')}
      hasDetails
    />
  );
}
