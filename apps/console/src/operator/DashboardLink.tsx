import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Failure, Panel } from '../parts/Page.js';

const ROLES = ['MEMBER', 'OWNER'] as const;
const HOUR_S = 3_600;

/** Makes a link to the console of an organization. It works for an hour, for everyone who has it. */
export function DashboardLink({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const [role, setRole] = useState<(typeof ROLES)[number]>('MEMBER');
  const [isCopied, setCopied] = useState(false);
  const make = useMutation({
    mutationFn: () => api.issueDashboardTokenForOrganization({ organizationId, subject: 'operator', role, ttlSeconds: HOUR_S }),
    onMutate: () => setCopied(false),
  });
  const link = make.data && `${publicUrl()}/console#token=${make.data.token}`;
  return (
    <Panel title={t('link.title')} note={t('link.note')}>
      <div className="filters">
        <label>
          {t('link.role')}
          <select value={role} onChange={({ target }) => setRole(ROLES.find((it) => it === target.value) ?? 'MEMBER')}>
            {ROLES.map((it) => (
              <option key={it} value={it}>
                {t(`link.roles.${it}`)}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button primary"
          data-action="dashboard-link"
          disabled={make.isPending}
          onClick={() => make.mutate()}
        >
          {t('link.make')}
        </button>
        {link && (
          <>
            <a className="button" href={link} target="_blank" rel="noreferrer" data-action="open-dashboard">
              {t('link.open')}
            </a>
            <button type="button" className="button" onClick={() => void navigator.clipboard.writeText(link).then(() => setCopied(true))}>
              {t(isCopied ? 'link.copied' : 'link.copy')}
            </button>
          </>
        )}
      </div>
      {make.data && (
        <p role="status" className="quiet">
          {t('link.until', { time: moment(make.data.expiresAt) })}
        </p>
      )}
      {make.error && <Failure error={make.error} />}
    </Panel>
  );
}

/** The address at which staff reach the console: operators may use another port of the same gateway. */
function publicUrl(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=console]');
  const { publicUrl } = JSON.parse(meta?.content ?? '{}') as { publicUrl?: string };
  return (publicUrl ?? location.origin).replace(/\/$/, '');
}
