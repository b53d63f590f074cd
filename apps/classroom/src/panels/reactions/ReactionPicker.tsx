import { SmilePlus } from 'lucide-react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ClassroomApi } from '../../class/api.js';
import { keepPlaced } from '../../ui/popover-position.js';
import { useTranslation } from '../../i18n/index.js';
import { FailureLine } from '../parts/FailureLine.js';
import { useAction } from '../parts/use-action.js';
import { EMOJI_NAMES, EMOJIS } from './emojis.js';

/** A control that opens the list of emojis. It stays open, because users often send more than one reaction. */
export function ReactionPicker({ api }: { api: ClassroomApi }) {
  const { t } = useTranslation('panels');
  const { runAction, failure, clearFailure } = useAction();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const id = useId();
  const onToggle = (isNew: boolean) => {
    setOpen(isNew);
    clearFailure();
  };
  useLayoutEffect(() => {
    if (!isOpen || !popover.current || !button.current) return undefined;
    const stop = keepPlaced(popover.current, button.current);
    popover.current.querySelector('button')?.focus();
    return stop;
  }, [isOpen]);
  return (
    <span className="control-place">
      <button ref={button} type="button" className="control" aria-expanded={isOpen} popoverTarget={id} data-action="reactions">
        <span className="control-icon">
          <SmilePlus aria-hidden />
        </span>
        <span className="control-label">{t('reactions.react')}</span>
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="group"
        aria-label={t('reactions.choose')}
        className="reaction-picker"
        onToggle={(event) => onToggle(event.newState === 'open')}
      >
        <div className="reaction-choices">
          {EMOJIS.map((emoji) => (
            <button
              key={emoji}
              type="button"
              aria-label={t(`reactions.${EMOJI_NAMES[emoji]}`)}
              title={t(`reactions.${EMOJI_NAMES[emoji]}`)}
              data-reaction={emoji}
              onClick={() => void runAction(() => api.sendReaction({ emoji }))}
            >
              <span aria-hidden>{emoji}</span>
            </button>
          ))}
        </div>
        <FailureLine code={failure?.code} />
      </div>
    </span>
  );
}
