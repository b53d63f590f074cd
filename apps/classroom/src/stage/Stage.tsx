import { useRef, useState, type ReactNode } from 'react';
import type { Layout } from '../app/app-store.js';
import { useTranslation } from '../i18n/index.js';
import { spotlitOf, type Person } from '../media/people.js';
import {
  MAX_STRIP_TILES,
  composeAround,
  composeFocus,
  composeGrid,
  toStripTiles,
  type Composition,
  type Rect,
  useSize,
} from './tile-layout.js';
import './stage.css';
import { Tile } from './Tile.js';
import { facesOf, screensOf } from './tiles.js';
import { useSpeakerOrder } from './speaker-order.js';
import { ChevronLeft, ChevronRight } from 'lucide-react';

interface StageProps {
  people: readonly Person[];
  layout: Layout;
  pageSize: number;
  pinned?: string | undefined;
  /** What takes the main place, unless the participant pinned a tile. */
  main?: ReactNode;
  hands?: ReadonlySet<string>;
  /** Whether a participant who would only see themselves sees those who listen. */
  seesListeners?: boolean;
  /** Set by the recording: the tiles show names only, no other text. */
  showsNamesOnly?: boolean;
  /** Shown while no tiles are on the stage. */
  emptyState: ReactNode;
  onPin?: (key: string) => void;
  menu?: (person: Person, isScreen: boolean) => ReactNode;
  /** What lies over a shared screen. */
  overScreen?: (person: Person) => ReactNode;
}

/** Pictures are 16:9. In class, they are cropped to 4:3 where that fills the stage; a recording shows all of them. */
const [ASPECT, CROPPED] = [16 / 9, 4 / 3];

const NO_HANDS: ReadonlySet<string> = new Set();

/** All tiles in one layer. A tile changes its position but never its element, because a video that is moved in the document restarts. */
export function Stage({
  people,
  layout,
  pageSize,
  pinned,
  main: content,
  hands = NO_HANDS,
  seesListeners,
  showsNamesOnly,
  emptyState,
  onPin,
  menu,
  overScreen,
}: StageProps) {
  const { t } = useTranslation();
  const container = useRef<HTMLDivElement>(null);
  const size = useSize(container);
  const [page, setPage] = useState(0);
  const screens = screensOf(people);
  const faces = facesOf(people, pinned, seesListeners);
  const pinnedTile = [...faces, ...screens].find(({ key }) => key === pinned);
  const spotlit = spotlitOf(people);
  const spotlitTile = faces.find(({ key }) => key === spotlit?.uid);
  const showsContent = content !== undefined && !pinnedTile;
  const isFocused = showsContent || pinnedTile !== undefined || spotlitTile !== undefined || screens.length > 0 || layout === 'speaker';
  const { ordered, speaker } = useSpeakerOrder(faces, isFocused ? MAX_STRIP_TILES : pageSize);
  const main = pinnedTile ?? screens.at(-1) ?? spotlitTile ?? (layout === 'speaker' ? speaker : undefined);
  const lastPage = Math.max(0, Math.ceil(ordered.length / pageSize) - 1);
  const at = Math.min(page, lastPage);
  const around = showsContent ? composeAround([...screens.toReversed(), ...ordered], size) : undefined;
  const composition: Composition =
    around ??
    (main
      ? composeFocus(main, toStripTiles(main, ordered, screens), size)
      : composeGrid(ordered, size, { pageSize, page: at, narrowest: showsNamesOnly ? ASPECT : CROPPED }));
  const places = composition.places.sort((a, b) => a.tile.person.joinedAt - b.tile.person.joinedAt || (a.tile.key < b.tile.key ? -1 : 1));

  return (
    <section className="stage" aria-label={t('stage.label')} data-layout={around || main ? 'focus' : 'grid'} data-tiles={places.length}>
      <div className="stage-ground" ref={container}>
        {around && (
          <div className="stage-main" style={placeStyle(around.main)}>
            {content}
          </div>
        )}
        {places.map(({ tile, place }) => (
          <StableTile
            key={tile.key}
            tileKey={tile.key}
            person={tile.person}
            isScreen={tile.isScreen}
            track={tile.track}
            place={place}
            isHandRaised={hands.has(tile.person.uid) && !tile.isScreen}
            isPinned={tile.key === pinned}
            isSpotlit={tile.key === spotlit?.uid}
            showsNamesOnly={showsNamesOnly ?? false}
            onPin={onPin}
            menu={menu}
            overScreen={overScreen}
          />
        ))}
        {places.length === 0 && !around && emptyState}
      </div>
      {composition.pages > 1 && <Pager page={at} pages={composition.pages} onPage={setPage} />}
    </section>
  );
}

const placeStyle = ({ x, y, width, height }: Rect) => ({ insetInlineStart: x, top: y, width, height });

/** Keeps the same object for an unchanged place, so that a tile renders again only if something about it has changed. */
function StableTile(props: React.ComponentProps<typeof Tile>) {
  const stablePlace = useRef(props.place);
  const { x, y, width, height } = props.place;
  const { current } = stablePlace;
  if (current.x !== x || current.y !== y || current.width !== width || current.height !== height) stablePlace.current = props.place;
  return <Tile {...props} place={stablePlace.current} />;
}

export function Pager({ page, pages, onPage }: { page: number; pages: number; onPage(page: number): void }) {
  const { t } = useTranslation();
  return (
    <nav className="pager" aria-label={t('stage.pages')}>
      <button type="button" className="icon-button" aria-label={t('stage.previous')} disabled={page === 0} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden className="mirrored" />
      </button>
      <span aria-live="polite">{t('stage.page', { page: page + 1, pages })}</span>
      <button
        type="button"
        className="icon-button"
        aria-label={t('stage.next')}
        disabled={page === pages - 1}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight aria-hidden className="mirrored" />
      </button>
    </nav>
  );
}

/** Shown while the stage has no tiles. */
export function EmptyStage({ title, text, logoUrl }: { title: string; text: string; logoUrl?: string | null }) {
  return (
    <div className="waiting">
      {logoUrl && <img className="waiting-logo" src={logoUrl} alt="" />}
      <p className="waiting-title">{title}</p>
      <p className="waiting-words">{text}</p>
    </div>
  );
}
