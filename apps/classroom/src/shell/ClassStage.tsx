import { useCallback, useMemo } from 'react';
import type { Person } from '../media/person.js';
import { useTranslation } from '../i18n/index.js';
import { pageSizeOf } from '../stage/arrange.js';
import { Stage } from '../stage/Stage.js';
import { TileMenu } from '../stage/TileMenu.js';
import { Waiting } from '../stage/Waiting.js';
import { screenKey } from '../stage/tiles.js';
import { useApp, useClass, usePeople, useVisit } from '../app/context.js';
import { useWindowWidth } from './use-window-width.js';

/** The stage of the class, with pinning, raised hands and the menus of the tiles. */
export function ClassStage() {
  const { t } = useTranslation();
  const { app } = useVisit();
  const people = usePeople((state) => state.people);
  const layout = useApp((state) => state.layout);
  const pinned = useApp((state) => state.pinned);
  const title = useApp((state) => state.session?.room.title);
  const logoUrl = useApp((state) => state.session?.branding.logoUrl);
  const line = useApp((state) => state.line);
  const raised = useClass((state) => state.hands);
  const changedTitle = useClass((state) => state.room?.title);
  const hands = useMemo(() => new Set(raised.map(({ uid }) => uid)), [raised]);
  const pageSize = pageSizeOf(useWindowWidth());

  const pin = useCallback((key: string) => app.set({ pinned: app.get().pinned === key ? undefined : key }), [app]);
  const menu = useCallback(
    (person: Person, isScreen: boolean) => (
      <TileMenu person={person} isScreen={isScreen} tileKey={isScreen ? screenKey(person.uid) : person.uid} onPin={pin} />
    ),
    [pin],
  );
  const waiting = line ? (
    <p className="class-line">{t(line.key, line.values ?? {})}</p>
  ) : (
    <Waiting title={changedTitle ?? title ?? ''} words={t('stage.waiting')} logoUrl={logoUrl ?? null} />
  );
  return (
    <Stage people={people} layout={layout} pageSize={pageSize} pinned={pinned} hands={hands} waiting={waiting} onPin={pin} menu={menu} />
  );
}
