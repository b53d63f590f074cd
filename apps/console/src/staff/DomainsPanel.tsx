import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api/client.js';
import { queries, queryClient } from '../api/queries.js';
import type { Domain } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { Empty, Failure, Loaded } from '../parts/Loaded.js';
import { Badge, Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

/** The hosts whose pages may embed classes, and the records that prove them. Only operators add and remove them. */
export function DomainsPanel() {
  const { t } = useTranslation();
  const domains = useQuery(queries.domains);
  const isOwner = useQuery(queries.profile).data?.role === 'OWNER';
  const check = useMutation({
    mutationFn: (domain: string) => api.checkDomain({ domain }),
    onSuccess: () => queryClient.invalidateQueries(queries.domains),
  });
  return (
    <Panel title={t('domains.title')} note={t('domains.note')}>
      <Loaded of={domains}>
        {(all) =>
          all.length === 0 ? (
            <Empty>{t('domains.none')}</Empty>
          ) : (
            <ul className="lines">
              {all.map((domain) => (
                <DomainLine key={domain.domain} domain={domain}>
                  {isOwner && domain.record && (
                    <button
                      type="button"
                      className="button"
                      data-action="check-domain"
                      aria-label={t('domains.checkOf', { domain: domain.domain })}
                      disabled={check.isPending}
                      onClick={() => check.mutate(domain.domain)}
                    >
                      {t('domains.check')}
                    </button>
                  )}
                </DomainLine>
              ))}
            </ul>
          )
        }
      </Loaded>
      {check.error && <Failure error={check.error} />}
    </Panel>
  );
}

function DomainLine({ domain, children }: { domain: Domain; children: ReactNode }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const { status, record, lookup, checkedAt, missingSince } = domain;
  const isVerified = status === 'VERIFIED';
  return (
    <li data-domain={domain.domain}>
      <span>{domain.domain}</span>
      <Badge kind={isVerified ? 'plain' : 'failed'}>{t(isVerified ? 'domains.verified' : 'domains.pending')}</Badge>
      {children}
      {record && (!isVerified || missingSince) && (
        <div className="wide small">
          {missingSince && <p>{t('domains.missing', { time: exact(missingSince) })}</p>}
          <p>
            {t('domains.record')} <code>{record.name}</code> <code>{record.value}</code>
          </p>
          {checkedAt && lookup && (
            <p role="status" className="quiet">
              {t(`domains.lookups.${lookup}`, { time: exact(checkedAt), defaultValue: lookup })}
            </p>
          )}
        </div>
      )}
    </li>
  );
}
