import { useTranslation } from '../i18n/index.js';
import { Dialog } from './Dialog.js';
import type { Action } from './use-actions.js';

export function Shortcuts({ actions, onClose }: { actions: readonly Action[]; onClose(): void }) {
  const { t } = useTranslation();
  const keys = actions.flatMap(({ shortcut, id }) => (shortcut ? [{ shortcut, words: t(`shortcuts.${id}`) }] : []));
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <dl className="shortcuts">
        {[...keys, { shortcut: '?', words: t('shortcuts.help') }].map(({ shortcut, words }) => (
          <div key={shortcut}>
            <dt>
              <kbd>{shortcut.toUpperCase()}</kbd>
            </dt>
            <dd>{words}</dd>
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
