import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queries, type Recording } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Empty, Loaded, Panel } from '../parts/Page.js';

const MOST = 5;

/** The newest recordings, each with its class, where the files are. */
export function LatestRecordings() {
  const { t } = useTranslation();
  const { near, duration } = useFormat();
  const latest = useQuery(queries.latestRecordings);
  return (
    <Panel title={t('recording.latest')}>
      <Loaded of={latest}>
        {(recordings) =>
          recordings.length === 0 ? (
            <Empty>{t('recording.noneLately')}</Empty>
          ) : (
            <ul className="lines">
              {recordings.slice(0, MOST).map(({ title, ...recording }) => (
                <li key={recording.recordingId}>
                  <span>{near(recording.startedAt)}</span>
                  <Link to="/rooms/$roomId" params={{ roomId: recording.roomId }}>
                    {title}
                  </Link>
                  <span className="quiet">{duration(recording.duration)}</span>
                  <RecordingState recording={recording} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** What became of a recording, and until when its file is there. */
export function RecordingState({ recording: { status, availableUntil } }: { recording: Recording }) {
  const { t } = useTranslation();
  const { near } = useFormat();
  const isGone = status === 'COMPLETED' && Boolean(availableUntil) && Date.parse(availableUntil ?? '') <= Date.now();
  return (
    <>
      <Badge kind={isGone ? 'plain' : status.toLowerCase()}>{t(isGone ? 'recording.gone' : `recording.statuses.${status}`)}</Badge>
      {availableUntil && <span>{t(isGone ? 'recording.goneSince' : 'recording.availableUntil', { time: near(availableUntil) })}</span>}
    </>
  );
}
