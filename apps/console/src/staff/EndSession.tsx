import { ApiError } from '@classroom/page/api-error';
import { Confirm } from '@classroom/page/Dialog';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { queries } from '../api/queries.js';
import type { AuditEntry } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { Failure } from '../parts/Loaded.js';

const SIGN_INS = ['issueDashboardToken', 'issueDashboardTokenForOrganization'];
/** The longest lifetime of a session. */
const LONGEST_MS = 12 * 3_600_000;

/** Whether the entry is a sign-in whose session may still be open. Its id is that of the entry. */
const mayBeOpen = ({ operation, status, at }: AuditEntry) =>
  SIGN_INS.includes(operation) && status === 200 && Date.parse(at) > Date.now() - LONGEST_MS;

/** Ends a session, unless it is over already. */
const endSession = (sessionId: string) =>
  api.endDashboardSession({ sessionId }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
  });

/** Where the entry is a sign-in: a button with which an owner ends its session. */
export function EndSession({ of: entry }: { of: AuditEntry }) {
  const { t } = useTranslation();
  const isOwner = useQuery(queries.profile).data?.role === 'OWNER';
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({ mutationFn: () => endSession(entry.id) });
  if (!isOwner || !mayBeOpen(entry)) return null;
  if (end.isSuccess)
    return (
      <span role="status" className="quiet small">
        {t('audit.sessionEnded')}
      </span>
    );
  const name = entry.target['subject'];
  return (
    <span>
      <button
        type="button"
        className="button"
        data-action="end-session"
        disabled={end.isPending}
        aria-label={t('audit.endSessionOf', { name })}
        onClick={() => setAsking(true)}
      >
        {t('audit.endSession')}
      </button>
      {end.error && <Failure error={end.error} />}
      {isAsking && (
        <Confirm
          title={t('audit.endSessionOf', { name })}
          text={t('audit.endSessionText')}
          confirmLabel={t('audit.endSession')}
          cancelLabel={t('cancel')}
          action="confirm-end-session"
          onConfirm={() => end.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}
