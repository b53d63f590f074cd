import type { InputOf } from '@classroom/page/typed-calls';
import { useState } from 'react';
import { useTranslation } from '../i18n/index.js';

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
export function isSamePlan(present: Plan | null, given: Plan | undefined): boolean {
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
