import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { queries, type Recording } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Empty, Failure, Loaded, Panel } from '../parts/Page.js';
import { RecordingState } from './LatestRecordings.js';

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
