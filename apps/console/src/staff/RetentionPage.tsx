import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { queries } from '../api/queries.js';
import type { Retention } from '../api/types.js';
import { shorterIn } from '../format/shorter-retention.js';
import { useTranslation } from '../i18n/index.js';
import { Loaded } from '../parts/Loaded.js';
import { Page, Panel } from '../parts/Page.js';
import { SettingsForm, useSettings } from '../parts/SettingsForm.js';
import { ConfirmErasure } from './ConfirmErasure.js';

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
  const settings = useSettings<Retention>(queries.retention.queryKey, (changes) => api.updateDashboardRetention(changes));
  const { changed, set, save } = settings;
  const [isAsking, setAsking] = useState(false);
  const shorter = shorterIn(saved, changed);
  return (
    <Panel title={t('retention.title')} note={isOwner ? t('retention.warning') : t('ownerOnly')}>
      <SettingsForm settings={settings} isOwner={isOwner} hasDetails confirm={shorter.length > 0 ? () => setAsking(true) : undefined}>
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
                onChange={({ target }) => set({ [name]: target.valueAsNumber })}
              />
              {t(name === 'recordings' ? 'retention.hours' : 'retention.days')}
            </span>
          </label>
        ))}
      </SettingsForm>
      {isAsking && <ConfirmErasure shorter={shorter} onConfirm={() => save.mutate()} onClose={() => setAsking(false)} />}
    </Panel>
  );
}
