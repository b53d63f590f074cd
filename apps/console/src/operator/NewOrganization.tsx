import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { api } from '../api/client.js';
import { queries, queryClient } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Failure, Page, Panel, ShownOnce } from '../parts/Page.js';
import { hostsOf, PlanFields, planOf } from './OrganizationForm.js';

export function NewOrganization() {
  const { t } = useTranslation();
  const create = useMutation({
    mutationFn: (data: FormData) =>
      api.createOrganization({
        name: String(data.get('name')),
        verifiedDomains: hostsOf(String(data.get('domains'))),
        billing: planOf(data),
      }),
    onSuccess: () => queryClient.invalidateQueries(queries.organizations),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(new FormData(event.currentTarget));
  };
  return (
    <Page title={t('operator.newOrganization')} actions={<Link to="/operator">{t('operator.back')}</Link>}>
      {create.data ? (
        <Panel title={create.data.name}>
          <ShownOnce text={t('operator.organizationIdOnce')} value={create.data.organizationId} />
          <p>
            <Link to="/operator/organizations/$organizationId" params={{ organizationId: create.data.id ?? create.data.organizationId }}>
              {t('operator.openOrganization')}
            </Link>
          </p>
        </Panel>
      ) : (
        <Panel title={t('operator.facts')}>
          <form className="fields" aria-label={t('operator.newOrganization')} onSubmit={submit}>
            <label className="field">
              {t('operator.displayName')}
              <input name="name" type="text" required maxLength={256} />
            </label>
            <label className="field">
              {t('operator.domains')}
              <textarea name="domains" rows={3} placeholder="school.example" />
              <span className="quiet small">{t('operator.domainsNote')}</span>
            </label>
            <PlanFields plan={null} initial="PREPAID" />
            <button type="submit" className="button primary" data-action="create-organization" disabled={create.isPending}>
              {t('operator.create')}
            </button>
            {create.error && <Failure error={create.error} hasDetails />}
          </form>
        </Panel>
      )}
    </Page>
  );
}
