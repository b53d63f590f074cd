import { useEffect, useId, useLayoutEffect, useMemo, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { X } from 'lucide-react';
import { keyOf } from '@classroom/page/keys';
import type { Tab } from '../app/app-store.js';
import { useTranslation } from '../i18n/index.js';
import type { Person } from '../media/people.js';
import '../people/people.css';
import '../chat/chat.css';
import { ChatPanel } from '../chat/ChatPanel.js';
import { LoadedPanel } from '../ui/LoadedPanel.js';
import { PanelContext, type PanelContextValue } from '../ui/panel-context.js';
import { useClassField } from '../ui/panel-context.js';
import { useUnread } from '../chat/unread.js';
import { PeoplePanel } from '../people/PeoplePanel.js';

const loadPolls = async () => (await import('../polls/PollsPanel.js')).PollsPanel;
const loadTutor = async () => (await import('../tutor/TutorPanel.js')).TutorPanel;

interface Props extends PanelContextValue {
  tab: Tab;
  /** Those that the participant has. */
  tabs: readonly Tab[];
  onTab(tab: Tab): void;
  onClose(): void;
  people: readonly Person[];
  /** Number of questions to the tutor that this person may answer. */
  questionCount: number;
}

/** The panel next to the stage, or below it in a narrow window. */
export function SidePanel({ tab, tabs, onTab, onClose, people, questionCount, store, api, permissions, self, voters, now }: Props) {
  const { t } = useTranslation('panels');
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const tools = useMemo(() => ({ store, api, permissions, self, voters, now }), [store, api, permissions, self, voters, now]);
  const unread = useUnread(store, tab === 'chat');
  const openPolls = useClassField(store, 'polls').filter(({ status }) => status === 'open').length;
  const counts: Record<Tab, number> = { people: people.length, chat: unread, polls: openPolls, tutor: questionCount };
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
          {tabs.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}-tab`}
              className="tab"
              aria-selected={name === tab}
              aria-controls={name === tab ? `${id}-panel` : undefined}
              tabIndex={name === tab ? 0 : -1}
              data-tab={name}
              onClick={() => onTab(name)}
            >
              {t(`tab.${name}`)}
              {counts[name] > 0 && <Count name={name} count={counts[name]} />}
            </button>
          ))}
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
        <PanelContext value={tools}>
          {tab === 'people' && <PeoplePanel people={people} />}
          {tab === 'chat' && <ChatPanel />}
          {tab === 'polls' && <LoadedPanel key={tab} load={loadPolls} />}
          {tab === 'tutor' && <LoadedPanel key={tab} load={loadTutor} />}
        </PanelContext>
      </div>
    </aside>
  );
}

function Count({ name, count }: { name: Tab; count: number }) {
  const { t } = useTranslation('panels');
  return (
    <span className={name === 'people' ? 'tab-count' : 'tab-count is-news'}>
      <span aria-hidden>{count}</span>
      <span className="unseen">{t(`tab.count.${name}`, { count })}</span>
    </span>
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
