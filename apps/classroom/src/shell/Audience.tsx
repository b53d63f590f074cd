import { Hand } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import type { Person } from '../media/person.js';
import { Avatar } from '../panels/parts/Avatar.js';
import { useWindowWidth } from './use-window-width.js';

/** The width of an avatar and of what is around the row, in pixels. */
const AVATAR = 36;
const AROUND = 120;
const MAX_SHOWN = 24;

interface Props {
  /** In the order of joining. */
  listeners: readonly Person[];
  hands: ReadonlySet<string>;
  onOpen(): void;
}

/** Those who are here without a tile, who came last first. It opens the list of people. */
export function Audience({ listeners, hands, onOpen }: Props) {
  const { t } = useTranslation();
  const width = useWindowWidth();
  const room = Math.max(1, Math.min(MAX_SHOWN, Math.floor((width - AROUND) / AVATAR)));
  const shown = listeners.toReversed().slice(0, room);
  const names = shown.map(({ name }) => name).join(', ');
  return (
    <button type="button" className="audience" title={names} data-action="audience" onClick={onOpen}>
      <span className="unseen">{t('stage.listeners', { count: listeners.length })}</span>
      {shown.map(({ uid, name, photoURL }) => (
        <span key={uid} className="audience-person" data-listener={uid} aria-hidden>
          <Avatar uid={uid} name={name} photoURL={photoURL} />
          {hands.has(uid) && (
            <span className="audience-hand">
              <Hand />
            </span>
          )}
        </span>
      ))}
      {listeners.length > shown.length && <span aria-hidden>+{listeners.length - shown.length}</span>}
    </button>
  );
}
