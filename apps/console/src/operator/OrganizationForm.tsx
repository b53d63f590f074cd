import type { InputOf } from '@classroom/page/typed-calls';
import { useState, type FormEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormat, useTranslation } from '../i18n/index.js';
import { api } from '../api/client.js';
import { queries, queryClient, type Organization } from '../api/queries.js';
import { Facts, Failure, Page, Panel, ShownOnce } from '../parts/Page.js';

export type Plan = NonNullable<InputOf<'createOrganization'>['billing']>;
const TYPES = ['PREPAID', 'POSTPAID'] as const;
const FREQUENCIES = ['MONTHLY', 'WEEKLY'] as const;

/** The plan that a form with `PlanFields` describes; undefined for none. Which values are valid is for the API to say. */
export function planOf(data: FormData): Plan | undefined {
  const text = (name: string) => String(data.get(name) ?? '');
  const terms = { creditRate: text('creditRate'), currency: text('currency').toUpperCase() };
  if (text('type') === '') return undefined;
  return text('type') === 'POSTPAID'
    ? { type: 'POSTPAID', billingFrequency: FREQUENCIES.find((it) => it === text('billingFrequency')) ?? 'MONTHLY', ...terms }
    : { type: 'PREPAID', credits: Number(text('credits')), ...terms };
}

/** Whether a form leaves the plan as it is. */
function isSamePlan(present: Plan | null, given: Plan | undefined): boolean {
  if (!present || !given) return !given;
  const { type, creditRate, currency } = present;
  const isSameCycle = given.type !== 'POSTPAID' || (type === 'POSTPAID' && present.billingFrequency === given.billingFrequency);
  return type === given.type && Number(creditRate) === Number(given.creditRate) && currency === given.currency && isSameCycle;
}

interface PlanFieldsProps {
  /** The present plan; null: there is none. */
  plan: Plan | null;
  /** The kind of plan that is chosen at first. Default: that of the present plan, or none. */
  initial?: Plan['type'];
}

/** Kind of plan, price of a credit, and what depends on the kind. */
export function PlanFields({ plan, initial }: PlanFieldsProps) {
  const { t } = useTranslation();
  const [type, setType] = useState<Plan['type'] | undefined>(initial ?? plan?.type);
  const isChanged = plan !== null && type !== plan.type;
  return (
    <>
      <label className="field">
        {t('operator.plan')}
        <select name="type" value={type ?? ''} onChange={({ target }) => setType(TYPES.find((it) => it === target.value))}>
          {!plan && <option value="">{t('operator.noPlan')}</option>}
          {TYPES.map((it) => (
            <option key={it} value={it}>
              {t(`operator.plans.${it}`)}
            </option>
          ))}
        </select>
        {isChanged && <span className="quiet small">{t('operator.planChange')}</span>}
      </label>
      {type && (
        <div className="filters">
          <label>
            {t('operator.creditRate')}
            <input name="creditRate" type="text" inputMode="decimal" required defaultValue={plan ? String(plan.creditRate) : '0.01'} />
          </label>
          <label>
            {t('operator.currency')}
            <input name="currency" type="text" required minLength={3} maxLength={3} size={6} defaultValue={plan?.currency ?? 'USD'} />
          </label>
          {type === 'POSTPAID' ? (
            <label>
              {t('operator.frequency')}
              <select name="billingFrequency" defaultValue={plan?.type === 'POSTPAID' ? plan.billingFrequency : 'MONTHLY'}>
                {FREQUENCIES.map((it) => (
                  <option key={it} value={it}>
                    {t(`operator.frequencies.${it}`)}
                  </option>
                ))}
              </select>
            </label>
          ) : plan?.type === 'PREPAID' ? (
            // They were posted when the plan began, and are posted once.
            <input name="credits" type="hidden" value={plan.credits ?? 0} />
          ) : (
            <label>
              {t('operator.openingCredits')}
              <input name="credits" type="number" min={0} step={1} required defaultValue={0} />
            </label>
          )}
        </div>
      )}
    </>
  );
}

/** The hosts of a field, one a line or separated by commas. */
export const hostsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

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
