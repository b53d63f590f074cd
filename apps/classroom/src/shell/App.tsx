import { LoadedPanel } from '../ui/LoadedPanel.js';
import { ClassView } from './ClassView.js';
import { useApp } from '../app/context.js';
import { useFeatures } from '../app/feature.js';
import { OutcomeCard } from './OutcomeCard.js';
import { useTranslation } from '../i18n/index.js';

export function App() {
  const features = useFeatures();
  const screen = useApp((app) => app.screen);
  const dialog = useApp((app) => app.dialog);
  const loadScreen = features.map(({ screens }) => screens?.[screen]).find((load) => load !== undefined);
  const loadDialog = dialog && features.map(({ dialogs }) => dialogs?.[dialog]).find((load) => load !== undefined);
  return (
    <>
      {screen === 'class' ? (
        <ClassView />
      ) : screen === 'outcome' ? (
        <OutcomeCard />
      ) : loadScreen ? (
        <LoadedPanel key={screen} load={loadScreen} />
      ) : (
        <main className="outcome" />
      )}
      {features.map(({ Everywhere }, index) => Everywhere && <Everywhere key={index} />)}
      {loadDialog && <LoadedPanel key={dialog} load={loadDialog} />}
      <LiveRegion />
    </>
  );
}

/** Announces to screen readers what other users see. */
export function LiveRegion() {
  const { t } = useTranslation();
  const announcement = useApp((app) => app.announcement);
  return (
    <div className="unseen" role="status" aria-live="polite" data-live>
      {announcement && <span key={announcement.sequence}>{t(announcement.key, announcement.values ?? {})}</span>}
    </div>
  );
}
