import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { Dialog } from '@classroom/page/Dialog';
import { useMemo, useState } from 'react';
import { api } from '../api/client.js';
import { queries, type Video } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Badge, Failure, FirstStep, Loaded, Page } from '../parts/Page.js';

interface Playing {
  title: string;
  address: string;
}

export function Videos() {
  const { t, i18n } = useTranslation();
  const { moment, duration, bytes } = useFormat();
  const videos = useInfiniteQuery(queries.videos);
  const [playing, setPlaying] = useState<Playing>();
  const play = useMutation({
    mutationFn: async ({ videoId, title }: Video) => ({ title, ...(await api.getVideoUrl({ videoId })) }),
    onSuccess: ({ title, url, posterUrl }) => url && setPlaying({ title, address: playerOf(url, posterUrl, title, i18n.language) }),
  });
  const columns = useMemo(
    (): Column<Video>[] => [
      { id: 'title', header: t('videos.name'), width: 'minmax(0, 2fr)', cell: ({ title }) => <span className="clip">{title}</span> },
      {
        id: 'status',
        header: t('rooms.state'),
        width: '150px',
        cell: ({ status, progress }) => (
          <Badge kind={status}>
            {status === 'processing' ? `${t(`videos.statuses.${status}`)} ${progress} %` : t(`videos.statuses.${status}`)}
          </Badge>
        ),
      },
      { id: 'created', header: t('room.created'), isDetail: true, cell: ({ createdAt }) => moment(createdAt) },
      {
        id: 'length',
        header: t('rooms.length'),
        width: '90px',
        isNumber: true,
        isDetail: true,
        cell: ({ duration: seconds }) => (seconds === null ? '–' : duration(seconds)),
      },
      { id: 'size', header: t('videos.size'), width: '110px', isNumber: true, isDetail: true, cell: ({ size }) => bytes(size) },
      {
        id: 'watch',
        header: t('videos.watch'),
        width: '90px',
        cell: (video) =>
          video.status === 'completed' && (
            <button
              type="button"
              className="icon-button"
              data-action="watch"
              aria-label={t('videos.play', { title: video.title })}
              onClick={() => play.mutate(video)}
            >
              <Play aria-hidden />
            </button>
          ),
      },
    ],
    [i18n.language],
  );
  return (
    <Page title={t('nav.videos')}>
      <p className="quiet">{t('videos.note')}</p>
      {play.error && <Failure error={play.error} />}
      <Loaded of={videos}>
        {({ pages }) => (
          <DataTable
            name={t('nav.videos')}
            rows={pages.flatMap((page) => page.videos)}
            idOf={({ videoId }) => videoId}
            columns={columns}
            empty={<FirstStep text={t('videos.none')} />}
            more={videos}
          />
        )}
      </Loaded>
      {playing && (
        <Dialog title={playing.title} onClose={() => setPlaying(undefined)}>
          <iframe className="player" src={playing.address} title={playing.title} allow="fullscreen; autoplay" />
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setPlaying(undefined)}>
              {t('close')}
            </button>
          </div>
        </Dialog>
      )}
    </Page>
  );
}

/** The player reads everything from its fragment, which reaches no log. */
function playerOf(src: string, poster: string | null, title: string, lang: string): string {
  return `/player#${new URLSearchParams({ src, title, lang, ...(poster ? { poster } : {}) })}`;
}
