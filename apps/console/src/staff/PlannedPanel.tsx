import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queries } from '../api/queries.js';
import { classState } from '../format/class-state.js';
import { useTranslation } from '../i18n/index.js';
import { Empty, Loaded } from '../parts/Loaded.js';
import { Badge, Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

const MOST = 5;

/** The next classes that have a time. */
export function PlannedPanel() {
  const { t } = useTranslation();
  const { near } = useFormat();
  const planned = useQuery(queries.planned);
  return (
    <Panel
      title={t('planned.title')}
      actions={
        <Link to="/rooms" search={{ status: 'created' }}>
          {t('planned.all')}
        </Link>
      }
    >
      <Loaded of={planned}>
        {(rooms) =>
          rooms.length === 0 ? (
            <Empty>{t('planned.none')}</Empty>
          ) : (
            <ul className="lines">
              {rooms.slice(0, MOST).map((room) => (
                <li key={room.roomId}>
                  <span>{near(room.startsAt)}</span>
                  <Link to="/rooms/$roomId" params={{ roomId: room.roomId }}>
                    {room.title}
                  </Link>
                  <span className="quiet">{room.teachers?.join(', ')}</span>
                  {classState(room) === 'prepared' && <Badge kind="prepared">{t('states.prepared')}</Badge>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
