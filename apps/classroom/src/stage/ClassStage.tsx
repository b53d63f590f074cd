import { EllipsisVertical, Hand, MonitorOff, PictureInPicture2, Pin, PinOff, Presentation } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Confirm } from '@classroom/page/Dialog';
import { useApp, useClass, useClassroom, usePeople, usePermissions } from '../app/context.js';
import { Menu, MenuItem } from '../ui/Menu.js';
import { useTranslation } from '../i18n/index.js';
import type { Person } from '../media/people.js';
import { actionsFor, callsFor } from '../people/participant-actions.js';
import { ParticipantItems } from '../people/ParticipantItems.js';
import { pageSizeOf } from './tile-layout.js';
import { Stage, EmptyStage } from './Stage.js';
import { listenersOf, screenKey } from './tiles.js';
import { useFeatures } from '../app/feature.js';
import { hasPeople } from '../people/feature.js';
import { Avatar } from '../ui/Avatar.js';
import type { I18nText } from '../app/app-store.js';

interface TileMenuProps {
  person: Person;
  isScreen: boolean;
  tileKey: string;
  onPin(key: string): void;
}

/** The actions for a tile, by the participant's role and by what the tile's person does. */
function TileMenu({ person, isScreen, tileKey, onPin }: TileMenuProps) {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const permissions = usePermissions();
  const ownRole = useApp((app) => app.session?.participant.role);
  const isPinned = useApp((app) => app.pinned === tileKey);
  const isSpeaker = useClass(({ speakers }) => speakers.some(({ uid }) => uid === person.uid));
  const isHandRaised = useClass(({ hands }) => hands.some(({ uid }) => uid === person.uid));
  const [isConfirming, setConfirming] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const { uid, name } = person;
  const isSpotlit = person.spotlitAt > 0;
  const calls = callsFor(classroom.api, uid);
  const run = (action: keyof typeof calls) => void classroom.attempt(calls[action], 'toast.actionFailed');

  /** In a window above all others, while the user works in another program. A browser may refuse it, which the user sees. */
  const showInPicture = () =>
    void menu.current?.parentElement
      ?.querySelector('video')
      ?.requestPictureInPicture()
      .catch(() => undefined);
  const all = actionsFor(person, { permissions, ownRole: ownRole ?? 'STUDENT', maySpeak: isSpeaker, isHandRaised });
  // A screen's menu is about the screen.
  const actions = all.filter((action) => (action === 'stopShare') === isScreen);
  const items = (
    <>
      <MenuItem icon={isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />} action="pin" onChoose={() => onPin(tileKey)}>
        {t(isPinned ? 'action.unpin' : 'action.pin')}
      </MenuItem>
      {document.pictureInPictureEnabled && (isScreen || person.camera) && (
        <MenuItem icon={<PictureInPicture2 aria-hidden />} action="picture-in-picture" onChoose={showInPicture}>
          {t('action.pictureInPicture')}
        </MenuItem>
      )}
      {permissions.manageParticipants && !isScreen && (
        <MenuItem
          icon={isSpotlit ? <MonitorOff aria-hidden /> : <Presentation aria-hidden />}
          action="spotlight"
          onChoose={() =>
            void classroom.attempt(() => classroom.api.spotlightParticipant({ uid, shown: !isSpotlit }), 'toast.actionFailed')
          }
        >
          {t(isSpotlit ? 'action.unspotlight' : 'action.spotlight')}
        </MenuItem>
      )}
      <ParticipantItems
        person={isScreen ? undefined : person}
        actions={actions}
        onChoose={(action) => (action === 'remove' ? setConfirming(true) : run(action))}
      />
    </>
  );
  return (
    <div ref={menu} className="tile-menu" onDoubleClick={(event) => event.stopPropagation()}>
      <Menu label={t('action.menu', { name })} items={items}>
        <EllipsisVertical aria-hidden />
      </Menu>
      {isConfirming && (
        <Confirm
          title={t('panels:people.removing.title', { name })}
          text={t('panels:people.removing.text')}
          confirmLabel={t('panels:people.removing.yes')}
          cancelLabel={t('panels:cancel')}
          action="confirm-remove"
          onConfirm={() => run('remove')}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}

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
