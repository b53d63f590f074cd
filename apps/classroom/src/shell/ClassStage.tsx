import { useCallback, useMemo } from 'react';
import type { Person } from '../media/person.js';
import { useTranslation } from '../i18n/index.js';
import { pageSizeOf } from '../stage/tile-layout.js';
import { Stage } from '../stage/Stage.js';
import { TileMenu } from '../stage/TileMenu.js';
import { EmptyStage } from '../stage/EmptyStage.js';
import { listenersOf, screenKey } from '../stage/tiles.js';
import { useApp, useClass, usePeople, useClassroom } from '../app/context.js';
import { hasTab } from '../app/granted.js';
import { Audience } from './Audience.js';
import { Connecting } from './Connecting.js';
import { useWindowWidth } from './use-window-width.js';

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
  const hands = useMemo(() => new Set(raisedHands.map(({ uid }) => uid)), [raisedHands]);
  const pageSize = pageSizeOf(useWindowWidth());
  const showsPeople = session !== undefined && hasTab(session, 'people');
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
        hands={hands}
        seesListeners={seesListeners}
        emptyState={emptyState}
        onPin={pin}
        menu={menu}
      />
      {isIn && showsPeople && listeners.length > 0 && (
        <Audience listeners={listeners} hands={hands} onOpen={() => app.set({ tab: 'people' })} />
      )}
      {isIn && manages && people.length === 1 && <p className="audience">{t('stage.alone')}</p>}
    </>
  );
}
