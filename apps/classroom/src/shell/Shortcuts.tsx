import { useTranslation } from '../i18n/index.js';
import { Dialog } from '@classroom/page/Dialog';
import { Switch } from '../ui/Switch.js';
import { setShortcutsEnabled, useShortcutsEnabled } from './shortcuts.js';
import { useActions } from './use-actions.js';

export function Shortcuts({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { own, tabs } = useActions();
  const actions = [...own, ...tabs];
  const areEnabled = useShortcutsEnabled();
  const hasMicrophone = actions.some(({ id }) => id === 'microphone');
  const keys = actions.flatMap(({ shortcut, id }) => (shortcut ? [{ shortcut, description: t(`shortcuts.${id}`) }] : []));
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <div className="shortcuts-choice">
        <Switch
          name="use-shortcuts"
          label={t('shortcuts.use')}
          hint={t('shortcuts.useHint')}
          isOn={areEnabled}
          onChange={setShortcutsEnabled}
        />
      </div>
      <dl className="shortcuts">
        {[
          ...keys,
          ...(hasMicrophone ? [{ shortcut: t('shortcuts.space'), description: t('shortcuts.hold') }] : []),
          { shortcut: '?', description: t('shortcuts.help') },
        ].map(({ shortcut, description }) => (
          <div key={shortcut}>
            <dt>
              <kbd>{shortcut.length > 1 ? shortcut : shortcut.toUpperCase()}</kbd>
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
