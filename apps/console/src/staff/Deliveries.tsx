import { Dialog } from '@classroom/page/Dialog';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { queries, queryClient, type Delivery, type DeliveryStatus } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Facts, Failure, Loaded, Page } from '../parts/Page.js';
import { api } from '../api/client.js';
import { DataTable, type Column } from '../parts/DataTable.js';

type Translate = ReturnType<typeof useTranslation>['t'];

/** Why an attempt failed, in a sentence. */
export const errorText = (t: Translate, error: string): string => t(`deliveries.errors.${error}`, { defaultValue: error });

interface DeliveryDialogProps {
  endpointId: string;
  delivery: Delivery;
  replay(): void;
  onClose(): void;
}

/** What was sent, what was answered, and when it is sent again. */
export function DeliveryDialog({ endpointId, delivery, replay, onClose }: DeliveryDialogProps) {
  const { t } = useTranslation();
  const { exact, number } = useFormat();
  const { deliveryId, eventId, type, attempts, nextAttemptAt, lastAttempt } = delivery;
  const details = useQuery(queries.delivery(endpointId, deliveryId));
  const answer = lastAttempt && (lastAttempt.statusCode ?? t('deliveries.noAnswer'));
  return (
    <Dialog title={type} onClose={onClose}>
      <div className="details">
        <Facts
          facts={[
            [t('deliveries.eventId'), <code key="id">{eventId}</code>],
            [t('deliveries.attempts'), number(attempts)],
            [t('deliveries.nextAttempt'), nextAttemptAt ? exact(nextAttemptAt) : t('deliveries.noNext')],
            ...(lastAttempt
              ? ([
                  [t('deliveries.lastAttempt'), t('deliveries.took', { time: exact(lastAttempt.at), ms: number(lastAttempt.durationMs) })],
                  [t('deliveries.answer'), lastAttempt.error ? `${answer}: ${errorText(t, lastAttempt.error)}` : answer],
                ] as const)
              : []),
          ]}
        />
        <h3>{t('deliveries.request')}</h3>
        <Loaded of={details}>{({ payload }) => <pre tabIndex={0}>{indented(payload)}</pre>}</Loaded>
        <h3>{t('deliveries.body')}</h3>
        {lastAttempt?.responseBody ? <pre tabIndex={0}>{lastAttempt.responseBody}</pre> : <p className="quiet">{t('deliveries.noBody')}</p>}
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" data-action="replay" onClick={replay}>
          {t('deliveries.send')}
        </button>
        <button type="button" className="button primary" onClick={onClose} autoFocus>
          {t('close')}
        </button>
      </div>
    </Dialog>
  );
}

function indented(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

const route = getRouteApi('/staff/integration/$endpointId');
const STATES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed'];

/** What was sent to one of the school's servers, and what it answered. */
export function Deliveries() {
  const { t, i18n } = useTranslation();
  const { exact, near } = useFormat();
  const { endpointId } = route.useParams();
  const { status } = route.useSearch();
  const navigate = useNavigate();
  const endpoints = useQuery(queries.webhookEndpoints);
  const [shown, setShown] = useState<Delivery>();
  const deliveries = useInfiniteQuery(queries.deliveries(endpointId, status));
  const replay = useMutation({
    mutationFn: (deliveryId: string) => api.replayWebhookDelivery({ endpointId, deliveryId }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['webhooks', endpointId] }),
  });
  const columns = useMemo(
    (): Column<Delivery>[] => [
      {
        id: 'type',
        header: t('deliveries.event'),
        width: 'minmax(0, 1.4fr)',
        cell: ({ type, createdAt }) => (
          <span className="two-lines">
            <span className="clip">{type}</span>
            <span className="clip quiet small">{exact(createdAt)}</span>
          </span>
        ),
      },
      {
        id: 'status',
        header: t('deliveries.status'),
        cell: ({ status: state, nextAttemptAt }) => (
          <span className="two-lines">
            <span>
              <Badge kind={{ delivered: 'healthy', failed: 'failed', pending: 'plain' }[state]}>{t(`deliveries.states.${state}`)}</Badge>
            </span>
            {nextAttemptAt && <span className="quiet small">{t('deliveries.next', { time: near(nextAttemptAt) })}</span>}
          </span>
        ),
      },
      {
        id: 'answer',
        header: t('deliveries.answer'),
        isDetail: true,
        cell: ({ lastAttempt }) => (
          <span className="two-lines">
            <span>{lastAttempt ? (lastAttempt.statusCode ?? t('deliveries.noAnswer')) : '–'}</span>
            {lastAttempt?.error && <span className="quiet small">{errorText(t, lastAttempt.error)}</span>}
          </span>
        ),
      },
      { id: 'attempts', header: t('deliveries.attempts'), width: '90px', isNumber: true, isDetail: true, cell: ({ attempts }) => attempts },
      {
        id: 'details',
        header: t('deliveries.details'),
        width: '120px',
        cell: (delivery) => (
          <button
            type="button"
            className="button"
            data-action="details"
            aria-label={t('deliveries.detailsOf', { type: delivery.type, time: exact(delivery.createdAt) })}
            onClick={() => setShown(delivery)}
          >
            {t('deliveries.details')}
          </button>
        ),
      },
    ],
    [i18n.language],
  );
  const url = endpoints.data?.find((one) => one.endpointId === endpointId)?.url;
  return (
    <Page title={t('deliveries.title')} actions={<Link to="/integration">{t('nav.integration')}</Link>}>
      {url && <p className="quiet wrap">{url}</p>}
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          {t('deliveries.status')}
          <select
            value={status ?? ''}
            onChange={({ target }) =>
              void navigate({
                to: '/integration/$endpointId',
                params: { endpointId },
                search: { status: STATES.find((state) => state === target.value) },
                replace: true,
              })
            }
          >
            <option value="">{t('all')}</option>
            {STATES.map((state) => (
              <option key={state} value={state}>
                {t(`deliveries.states.${state}`)}
              </option>
            ))}
          </select>
        </label>
      </form>
      <p role="status">{replay.isSuccess ? t('deliveries.queued') : ''}</p>
      {replay.error && <Failure error={replay.error} />}
      <Loaded of={deliveries}>
        {({ pages }) => (
          <DataTable
            name={t('deliveries.title')}
            rows={pages.flatMap((page) => page.deliveries)}
            idOf={({ deliveryId }) => deliveryId}
            columns={columns}
            empty={t(status ? 'deliveries.noMatch' : 'deliveries.none')}
            more={deliveries}
          />
        )}
      </Loaded>
      {shown && (
        <DeliveryDialog
          endpointId={endpointId}
          delivery={shown}
          replay={() => {
            setShown(undefined);
            replay.mutate(shown.deliveryId);
          }}
          onClose={() => setShown(undefined)}
        />
      )}
    </Page>
  );
}
