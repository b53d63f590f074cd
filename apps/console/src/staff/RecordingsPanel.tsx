import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queries, type Recording } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Empty, Failure, Loaded, Panel } from '../parts/Page.js';
import { api } from '../api/client.js';

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
function RecordingState({ recording: { status, availableUntil } }: { recording: Recording }) {
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

export function RecordingsPanel({ roomId, isOver }: { roomId: string; isOver: boolean }) {
  const { t } = useTranslation();
  const recordings = useQuery(queries.recordings(roomId));
  return (
    <Panel title={t('recording.title')}>
      <Loaded of={recordings}>
        {(list) => (list.length === 0 ? <Empty>{t('recording.none')}</Empty> : <Recordings roomId={roomId} list={list} isOver={isOver} />)}
      </Loaded>
    </Panel>
  );
}

function Recordings({ roomId, list, isOver }: { roomId: string; list: readonly Recording[]; isOver: boolean }) {
  const { t } = useTranslation();
  const { moment, near, duration, bytes } = useFormat();
  // The links are made on demand: each request for them is in the audit log.
  const links = useMutation({ mutationFn: () => api.downloadRecordings({ roomId }) });
  const fileOf = (id: string) => links.data?.files.find(({ recordingId }) => recordingId === id);
  return (
    <>
      <ul className="lines">
        {list.map((recording) => {
          const { recordingId, startedAt, duration: seconds, reason, audioOnly } = recording;
          const file = fileOf(recordingId);
          return (
            <li key={recordingId}>
              <span>{moment(startedAt)}</span>
              <span className="quiet">{duration(seconds)}</span>
              <RecordingState recording={recording} />
              {audioOnly && <Badge kind="plain">{t('recording.audio')}</Badge>}
              {reason && <span className="quiet">{reason}</span>}
              {file && (
                <a href={file.downloadUrl} target="_blank" rel="noreferrer">
                  {t('recording.watch', { size: bytes(file.size) })}
                </a>
              )}
            </li>
          );
        })}
      </ul>
      {isOver && list.some(({ status }) => status === 'COMPLETED') && !links.data && (
        <button type="button" className="button" data-action="recording-links" disabled={links.isPending} onClick={() => links.mutate()}>
          {t('recording.links')}
        </button>
      )}
      {links.data && <p className="quiet">{t('recording.until', { time: near(links.data.availableUntil) })}</p>}
      {links.error && <Failure error={links.error} />}
    </>
  );
}
