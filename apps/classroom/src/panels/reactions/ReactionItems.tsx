import type { Emoji } from '../../class/api.js';
import { useTranslation } from '../../i18n/index.js';
import { EMOJI_NAMES, EMOJIS } from './emojis.js';

/** The reactions as items of a menu. */
export function ReactionItems({ onReact }: { onReact(emoji: Emoji): void }) {
  const { t } = useTranslation('panels');
  return (
    <div className="reaction-choices" role="group" aria-label={t('reactions.choose')}>
      {EMOJIS.map((emoji) => (
        <button
          key={emoji}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-label={t(`reactions.${EMOJI_NAMES[emoji]}`)}
          title={t(`reactions.${EMOJI_NAMES[emoji]}`)}
          data-reaction={emoji}
          onClick={() => onReact(emoji)}
        >
          <span aria-hidden>{emoji}</span>
        </button>
      ))}
    </div>
  );
}
