import { Dialog } from '@classroom/page/Dialog';
import { usePlayerContext } from './player.js';

const KEYS = [
  ['toggle', ['K', '␣']],
  ['five', ['←', '→']],
  ['ten', ['J', 'L']],
  ['volume', ['↑', '↓']],
  ['mute', ['M']],
  ['fullscreen', ['F']],
  ['captions', ['C']],
  ['rate', ['<', '>']],
  ['tenths', ['0', '9']],
  ['help', ['?']],
] as const;

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { texts } = usePlayerContext();
  return (
    <Dialog title={texts.help} onClose={onClose}>
      <dl className="keys">
        {KEYS.map(([name, keys]) => (
          <div key={name}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{texts.keys[name]}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose} autoFocus>
          {texts.close}
        </button>
      </div>
    </Dialog>
  );
}
