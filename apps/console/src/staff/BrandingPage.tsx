import { useMutation, useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import { lettersOn, parseHex, readableAccent } from '@classroom/page/color';
import { api } from '../api/client.js';
import { queries, queryClient, type Branding, type Domain } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Empty, Failure, Loaded, Page, Panel } from '../parts/Page.js';
import { SettingsForm, useSettings } from '../parts/SettingsForm.js';
import { LogoFields, shownLogo, type Draft } from './LogoFields.js';

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

export function BrandingPage() {
  const { t } = useTranslation();
  const branding = useQuery(queries.branding);
  const profile = useQuery(queries.profile);
  return (
    <Page title={t('nav.branding')}>
      <p className="quiet">{t('branding.note')}</p>
      <Loaded of={profile}>
        {({ role, name }) => <Loaded of={branding}>{(data) => <Form saved={data} isOwner={role === 'OWNER'} name={name} />}</Loaded>}
      </Loaded>
      <DomainsPanel />
    </Page>
  );
}

function Form({ saved, isOwner, name }: { saved: Branding; isOwner: boolean; name: string }) {
  const { t } = useTranslation();
  const settings = useSettings<Draft>(queries.branding.queryKey, (changes) => update(saved, changes));
  const { changed, set, save } = settings;
  const shown = { ...saved, ...changed };
  const color = shown.accentColor ?? shown.primaryColor;
  return (
    <>
      <Panel title={t('branding.preview')}>
        <Preview name={name} accent={color} logo={shownLogo(shown, saved)} />
      </Panel>
      <Panel title={t('branding.values')} note={isOwner ? undefined : t('ownerOnly')}>
        <SettingsForm settings={settings} isOwner={isOwner}>
          <div className="field">
            <label htmlFor="accentColor">{t('branding.color')}</label>
            <span className="color-field">
              <input
                id="accentColor"
                type="color"
                disabled={!isOwner}
                value={color ?? '#2457d6'}
                onChange={({ target }) => set({ accentColor: target.value })}
              />
              <code>{color ?? t('branding.unset')}</code>
              {isOwner && color && (
                // The class page shows the main color where there is no second one.
                <button type="button" className="button" onClick={() => set({ accentColor: null, primaryColor: null })}>
                  {t('branding.remove')}
                </button>
              )}
            </span>
          </div>
          <LogoFields key={saved.logoUrl} shown={shown} set={set} saved={saved} error={save.error} isOwner={isOwner} />
        </SettingsForm>
      </Panel>
    </>
  );
}

/** A file is uploaded after the other changes. What is as it was is left out. */
async function update(saved: Branding, { file, servedLogoUrl: _, ...changes }: Partial<Draft>): Promise<Branding> {
  const changed = Object.entries(changes).filter(([name, value]) => value !== saved[name as keyof Branding]);
  const updated = changed.length > 0 ? await api.updateDashboardBranding(Object.fromEntries(changed)) : saved;
  return file ? api.setLogo({ logo: file.slice(file.indexOf(',') + 1) }) : updated;
}

const THEMES = [
  { name: 'light', ground: '#f6f7f9', text: '#14171c', usual: '#2457d6' },
  { name: 'dark', ground: '#0f1115', text: '#f2f4f7', usual: '#7aa2ff' },
] as const;

const colorOf = (hex: string) => parseHex(hex) ?? [0, 0, 0];

/** How the class page shows the color: moved until it is readable on each theme's background. */
function Preview({ name, accent, logo }: { name: string; accent: string | null; logo: string | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="previews">
      {THEMES.map((theme) => {
        const readable = readableAccent(colorOf(accent ?? theme.usual), theme.name);
        const style = {
          '--preview-ground': theme.ground,
          '--preview-text': theme.text,
          '--preview-accent': `rgb(${readable.join(' ')})`,
          '--preview-on-accent': lettersOn(readable),
        } as CSSProperties;
        return (
          <div key={theme.name} className="preview" style={style}>
            <span>{t(`branding.${theme.name}`)}</span>
            {logo && <img className="preview-logo" src={logo} alt={t('branding.logoOf', { name })} />}
            <strong>{name}</strong>
            <span className="preview-button">{t('branding.join')}</span>
          </div>
        );
      })}
    </div>
  );
}
