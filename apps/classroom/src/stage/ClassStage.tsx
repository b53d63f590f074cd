import { useCallback, useMemo, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { Person } from '../media/people.js';
import { useTranslation } from '../i18n/index.js';
import { pageSizeOf } from './tile-layout.js';
import { Stage, EmptyStage } from './Stage.js';
import { TileMenu } from './TileMenu.js';
import { listenersOf, screenKey } from './tiles.js';
import { useApp, useClass, usePeople, useClassroom } from '../app/context.js';
import { useFeatures } from '../app/feature.js';
import { hasPeople } from '../people/feature.js';
import { Hand } from 'lucide-react';
import { Avatar } from '../ui/Avatar.js';
import type { I18nText } from '../app/app-store.js';

/** The stage of the class, with pinning, raised hands and the menus of the tiles. */
export function ClassStage() {
  const { t } = useTranslation();
  const { app } = useClassroom();
  const people = usePeople((state) => state.people);
  const layout = useApp((state) => state.layout);
  const pinned = useApp((state) => state.pinned);
  const session = useApp((state) => state.session);
  const isIn = useApp(({ state }) => state === 'connected' || state === 'reconnecting');
  const connectingText = useApp((state) => state.connectingText);
  const raisedHands = useClass((state) => state.hands);
  const changedTitle = useClass((state) => state.room?.title);
  const features = useFeatures();
  const content = useMain();
  const hands = useMemo(() => new Set(raisedHands.map(({ uid }) => uid)), [raisedHands]);
  const pageSize = pageSizeOf(useWindowWidth());
  const showsPeople = session !== undefined && hasPeople(session);
  const manages = !!session?.permissions.manageParticipants;
  const seesListeners = manages && showsPeople && layout === 'grid';
  const listeners = useMemo(() => listenersOf(people, pinned, seesListeners), [people, pinned, seesListeners]);

  const pin = useCallback((key: string) => app.set({ pinned: app.get().pinned === key ? undefined : key }), [app]);
  const menu = useCallback(
    (person: Person, isScreen: boolean) => (
      <TileMenu person={person} isScreen={isScreen} tileKey={isScreen ? screenKey(person.uid) : person.uid} onPin={pin} />
    ),
    [pin],
  );
  const overScreen = useCallback(
    (person: Person) => features.map(({ OverScreen }, index) => OverScreen && <OverScreen key={index} person={person} />),
    [features],
  );
  const emptyState = connectingText ? (
    <Connecting text={connectingText} />
  ) : (
    <EmptyStage title={changedTitle ?? session?.room.title ?? ''} text={t('stage.waiting')} logoUrl={session?.branding.logoUrl ?? null} />
  );
  return (
    <>
      <Stage
        people={people}
        layout={layout}
        pageSize={pageSize}
        pinned={pinned}
        main={content}
        hands={hands}
        seesListeners={seesListeners}
        emptyState={emptyState}
        onPin={pin}
        menu={menu}
        overScreen={overScreen}
      />
      {isIn && showsPeople && listeners.length > 0 && (
        <Audience listeners={listeners} hands={hands} onOpen={() => app.set({ tab: 'people' })} />
      )}
      {isIn && manages && people.length === 1 && <p className="audience">{t('stage.alone')}</p>}
    </>
  );
}

/** What a feature shows in the main place. When it appears, a tile that was pinned before gives way. */
function useMain(): ReactNode {
  const { app } = useClassroom();
  const features = useFeatures();
  const content = features.map((feature) => feature.useMain?.()).find((one) => one !== undefined);
  const isShown = content !== undefined;
  useEffect(() => {
    app.set({ isMainTaken: isShown, ...(isShown && { pinned: undefined }) });
  }, [app, isShown]);
  return content;
}

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

/** How long the page connects, in milliseconds, before it says that this is long. */
const LONG_MS = 5_000;

/** In place of the stage while the page opens the class or connects to it. */
export function Connecting({ text }: { text: I18nText }) {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="class-line" role="status">
      <span className="spinner" aria-hidden />
      <p>{t(text.key, text.values ?? {})}</p>
      {isLong && (
        <>
          <p>{t('connecting.long')}</p>
          {text.key === 'connecting.opening' && (
            <button type="button" className="button" data-action="open-again" onClick={() => void classroom.openSession()}>
              {t('connecting.again')}
            </button>
          )}
        </>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

export const useWindowWidth = (): number => useSyncExternalStore(subscribe, () => window.innerWidth);
