import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { queries, queryClient } from '../api/queries.js';
import type { Retention } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { Failure, Loaded } from '../parts/Loaded.js';
import { Page, Panel } from '../parts/Page.js';

export function RetentionPage() {
  const { t } = useTranslation();
  const retention = useQuery(queries.retention);
  const profile = useQuery(queries.profile);
  return (
    <Page title={t('nav.retention')}>
      <p className="quiet">{t('retention.note')}</p>
      <Loaded of={profile}>
        {({ role }) => <Loaded of={retention}>{(data) => <Form saved={data} isOwner={role === 'OWNER'} />}</Loaded>}
      </Loaded>
    </Page>
  );
}

function Form({ saved, isOwner }: { saved: Retention; isOwner: boolean }) {
  const { t } = useTranslation();
  const [changed, setChanged] = useState<Partial<Retention>>({});
  const save = useMutation({
    mutationFn: () => api.updateDashboardRetention(changed),
    onSuccess: (data) => {
      queryClient.setQueryData(queries.retention.queryKey, data);
      setChanged({});
    },
  });
  return (
    <Panel title={t('retention.title')} note={isOwner ? t('retention.warning') : t('ownerOnly')}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {(Object.keys(saved) as (keyof Retention)[]).map((name) => (
          <label key={name} className="field">
            {t(`retention.classes.${name}`, { defaultValue: name })}
            <span className="number-field">
              <input
                type="number"
                min={1}
                required
                disabled={!isOwner}
                value={Number.isNaN(changed[name]) ? '' : (changed[name] ?? saved[name])}
                onChange={({ target }) => {
                  save.reset();
                  setChanged({ ...changed, [name]: target.valueAsNumber });
                }}
              />
              {t(name === 'recordings' ? 'retention.hours' : 'retention.days')}
            </span>
          </label>
        ))}
        {isOwner && (
          <button
            type="submit"
            className="button primary"
            data-action="save"
            disabled={Object.keys(changed).length === 0 || save.isPending}
          >
            {t('save')}
          </button>
        )}
        <p role="status">{save.isSuccess && Object.keys(changed).length === 0 ? t('saved') : ''}</p>
        {save.error && <Failure error={save.error} />}
      </form>
    </Panel>
  );
}
