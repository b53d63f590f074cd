import { Dialog } from '@classroom/page/Dialog';
import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import type { Delivery } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { Loaded } from '../parts/Loaded.js';
import { Facts } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

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
