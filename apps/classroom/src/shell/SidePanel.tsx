import { useEffect, useId, useLayoutEffect, useMemo, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { X } from 'lucide-react';
import { keyOf } from '@classroom/page/keys';
import type { Tab } from '../app/app-store.js';
import { useFeatures, type PanelTab } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import '../people/people.css';
import '../chat/chat.css';
import { LoadedPanel } from '../ui/LoadedPanel.js';
import { PanelContext, type PanelContextValue } from '../ui/panel-context.js';

interface SidePanelProps extends PanelContextValue {
  tab: Tab;
  /** Those that the participant has. */
  tabs: readonly Tab[];
  onTab(tab: Tab): void;
  onClose(): void;
}

/** The panel next to the stage, or below it in a narrow window. */
export function SidePanel({ tab, tabs, onTab, onClose, store, api, permissions, self, voters, now }: SidePanelProps) {
  const { t } = useTranslation('panels');
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const tools = useMemo(() => ({ store, api, permissions, self, voters, now }), [store, api, permissions, self, voters, now]);
  const features = useFeatures();
  const load = features.find((feature) => feature.tab?.name === tab)?.tab?.load;
  useFocusOnOpening(panel, tab);
  useFocusOnClosing(panel, tab);

  const move = (event: KeyboardEvent<HTMLElement>) => {
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    const at = tabs.indexOf(tab);
    const to = { [forward]: at + 1, [backward]: at - 1, Home: 0, End: tabs.length - 1 }[keyOf(event.nativeEvent) ?? ''];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (!next) return;
    event.preventDefault();
    onTab(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus();
  };
  return (
    <aside
      ref={panel}
      className="side-panel"
      aria-label={t('panel')}
      onKeyDown={(event) => {
        if (keyOf(event.nativeEvent) === 'Escape' && !isHandledElsewhere(event)) onClose();
      }}
    >
      <header className="side-panel-head">
        <div className="tabs" role="tablist" aria-label={t('panel')} onKeyDown={move}>
          {features.map(
            ({ tab: one }) =>
              one && tabs.includes(one.name) && <TabButton key={one.name} {...one} id={id} isOpen={one.name === tab} onTab={onTab} />,
          )}
        </div>
        <button
          type="button"
          className="icon-button"
          aria-label={t('close')}
          title={t('close')}
          data-action="close-panel"
          onClick={onClose}
        >
          <X aria-hidden />
        </button>
      </header>
      <div className="side-panel-body" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}-tab`} onFocus={reveal}>
        <h2 className="unseen">{t(`tab.${tab}`)}</h2>
        <PanelContext value={tools}>{load && <LoadedPanel key={tab} load={load} />}</PanelContext>
      </div>
    </aside>
  );
}

function TabButton({
  name,
  useCount,
  isNews,
  id,
  isOpen,
  onTab,
}: PanelTab & Pick<SidePanelProps, 'onTab'> & { id: string; isOpen: boolean }) {
  const { t } = useTranslation('panels');
  const count = useCount();
  return (
    <button
      type="button"
      role="tab"
      id={`${id}-${name}-tab`}
      className="tab"
      aria-selected={isOpen}
      aria-controls={isOpen ? `${id}-panel` : undefined}
      tabIndex={isOpen ? 0 : -1}
      data-tab={name}
      onClick={() => onTab(name)}
    >
      {t(`tab.${name}`)}
      {count > 0 && (
        <span className={isNews ? 'tab-count is-news' : 'tab-count'}>
          <span aria-hidden>{count}</span>
          <span className="unseen">{t(`tab.count.${name}`, { count })}</span>
        </span>
      )}
    </button>
  );
}

/** A browser scrolls to the caret of a field alone: in a low window most of the field would stay out of sight. */
const reveal = ({ target }: FocusEvent) => target.scrollIntoView({ block: 'nearest' });

/** Whether this Escape belongs to something else: a menu, a dialog or a search. */
function isHandledElsewhere({ target }: KeyboardEvent): boolean {
  const isSearch = target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
  return isSearch || (target as Element).closest('[popover], dialog') !== null;
}

/**
 * Focuses the chat field when the panel opens, or the selected tab. Without hover (touch), it never focuses the field, because
 * the keyboard would cover the chat. A user who moves along the tabs by arrow keys stays on the tabs.
 */
function useFocusOnOpening(panel: React.RefObject<HTMLElement | null>, tab: string): void {
  useEffect(() => {
    if (document.activeElement?.getAttribute('role') === 'tab') return;
    const field = matchMedia('(hover: hover)').matches ? panel.current?.querySelector<HTMLElement>('.composer textarea') : undefined;
    (field ?? panel.current?.querySelector<HTMLElement>('[aria-selected=true]'))?.focus({ preventScroll: true });
  }, [panel, tab]);
}

/** A panel that closes with the focus in it returns the focus to the control of its tab. */
function useFocusOnClosing(panel: React.RefObject<HTMLElement | null>, tab: Tab): void {
  const latest = useRef(tab);
  useEffect(() => {
    latest.current = tab;
  }, [tab]);
  // A layout effect is cleaned up while the element is still in the document.
  useLayoutEffect(() => {
    const element = panel.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const control = ['more', latest.current].map((action) => document.querySelector<HTMLElement>(`.bar [data-action=${action}].control`));
      (control[1] ?? control[0])?.focus();
    };
  }, [panel]);
}
