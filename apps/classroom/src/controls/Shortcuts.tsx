import { useTranslation } from '../i18n/index.js';
import { Dialog } from '@classroom/page/Dialog';
import { setShortcutsEnabled, useShortcutsEnabled } from './shortcut-setting.js';
import type { Action } from './action.js';

export function Shortcuts({ actions, onClose }: { actions: readonly Action[]; onClose(): void }) {
  const { t } = useTranslation();
  const areEnabled = useShortcutsEnabled();
  const keys = actions.flatMap(({ shortcut, id }) => (shortcut ? [{ shortcut, description: t(`shortcuts.${id}`) }] : []));
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <label className="shortcuts-choice">
        <input
          type="checkbox"
          role="switch"
          data-action="use-shortcuts"
          checked={areEnabled}
          onChange={({ target }) => setShortcutsEnabled(target.checked)}
        />
        <span>
          {t('shortcuts.use')}
          <br />
          <span className="quiet">{t('shortcuts.useHint')}</span>
        </span>
      </label>
      <dl className="shortcuts">
        {[...keys, { shortcut: '?', description: t('shortcuts.help') }].map(({ shortcut, description }) => (
          <div key={shortcut}>
            <dt>
              <kbd>{shortcut.toUpperCase()}</kbd>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose} autoFocus>
          {t('shortcuts.close')}
        </button>
      </div>
    </Dialog>
  );
}
