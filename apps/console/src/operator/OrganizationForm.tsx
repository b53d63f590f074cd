import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import type { Organization } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { Failure } from '../parts/Loaded.js';
import { Facts, Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';
import { hostsOf, isSamePlan, PlanFields, planOf } from './PlanFields.js';

/** Name, plan and domains of an organization. */
export function OrganizationForm({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const { id, organizationId, name, billing, verifiedDomains, createdAt, updatedAt, closedAt } = organization;
  const save = useMutation({
    mutationFn: async (data: FormData) => {
      const [given, domains, plan] = [String(data.get('name')), hostsOf(String(data.get('domains'))), planOf(data)];
      const changes = {
        ...(given === name ? {} : { name: given }),
        ...(domains.join() === verifiedDomains.join() ? {} : { verifiedDomains: domains }),
        ...(isSamePlan(billing, plan) ? {} : { billing: plan }),
      };
      if (Object.keys(changes).length > 0) await api.updateOrganization({ organizationId: id ?? organizationId, ...changes });
    },
    onSuccess: () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('organization') }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget));
  };
  return (
    <Panel title={t('operator.facts')}>
      <Facts
        facts={[
          [t('operator.id'), id ?? organizationId],
          [t('room.created'), moment(createdAt)],
        ]}
      />
      <form key={updatedAt} className="fields" aria-label={t('operator.facts')} onSubmit={submit} onChange={() => save.reset()}>
        <label className="field">
          {t('operator.displayName')}
          <input name="name" type="text" required maxLength={256} defaultValue={name} />
        </label>
        <label className="field">
          {t('operator.domains')}
          <textarea name="domains" rows={3} defaultValue={verifiedDomains.join('\n')} placeholder="school.example" />
          <span className="quiet small">{t('operator.domainsNote')}</span>
        </label>
        <PlanFields plan={billing} />
        <button type="submit" className="button primary" data-action="save-organization" disabled={save.isPending || Boolean(closedAt)}>
          {t('save')}
        </button>
        {save.error && <Failure error={save.error} hasDetails />}
      </form>
      <p role="status">{save.isSuccess ? t('saved') : ''}</p>
    </Panel>
  );
}
