import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { VideoProgress } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { upload } from '../uploads/upload.js';
import { declare, type Extent, group, paged, pageSize, take } from './declare.js';
import { waitFor } from './wait.js';

/** Media types by the end of a file's name. */
const TYPES: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.mkv': 'video/x-matroska',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
};

interface Upload {
  title?: string;
  type?: string;
  mp4?: boolean;
  wait: boolean;
}

export function addVideos(program: Command, session: Session): void {
  const videos = group(program, 'videos', 'stored videos: upload, watch the transcoding, play and delete');
  const video = (command: Command) => command.argument('<videoId>', 'id of the video');

  paged(declare(videos, 'list', 'list the stored videos, newest first', ['videos list', 'videos list --all --json'])).action(
    async (extent: Extent) => {
      const pages = session.client().videos.list({ limit: pageSize(extent) });
      session.print.list(
        await take(pages, extent, session.print),
        [
          ['video', ({ videoId }) => videoId],
          ['title', ({ title }) => title],
          ['status', ({ status, progress }) => (status === 'processing' ? `${status} ${progress} %` : status)],
          ['seconds', ({ duration }) => duration],
          ['bytes', ({ size }) => size],
          ['created', ({ createdAt }) => time(createdAt)],
        ],
        'There are no videos. Upload one with: vc videos upload <file>',
      );
    },
  );

  video(
    declare(videos, 'show', 'show a video with signed addresses to play it, which are valid for an hour', [
      'videos show vid_8Lm2Np5Qr8Sv1Tg4Jk7x',
    ]),
  ).action((videoId: string) => show(session, videoId));

  declare(videos, 'upload', 'upload a film or a sound, and wait until it can be played', [
    'videos upload lesson-1.mp4 --title "Lesson 1"',
    'videos upload talk.mp3 --no-wait',
  ])
    .argument('<file>', 'the file')
    .option('--title <title>', 'display title; the name of the file if omitted')
    .option('--type <type>', 'media type such as video/mp4; by the name of the file if omitted')
    .option('--mp4', 'make one MP4 file instead of a stream of several qualities')
    .option('--no-wait', 'do not wait until it can be played')
    .action(async (file: string, { title, type, mp4, wait }: Upload) => {
      const fileName = basename(file);
      const contentType = type ?? TYPES[extname(file).toLowerCase()];
      if (contentType === undefined)
        throw new CommandError(`The media type of ${fileName} is not known`, 'Give it with --type, such as video/mp4.');
      const size = sizeOf(file);
      const { videos: api } = session.client();
      const created = await api.create({ title: title ?? fileName, fileName, size, contentType, ...(mp4 ? { playback: 'mp4' } : {}) });
      const { videoId } = created;
      session.print.note(`${videoId} is created.`);
      await upload(file, created.upload.url, { size, sent: percentages((percent) => session.print.note(`Sent ${percent} %`)) });
      if (wait) await transcoded(session, videoId);
      await show(session, videoId);
    });

  video(declare(videos, 'delete', 'delete a video with all its files', ['videos delete vid_8Lm2Np5Qr8Sv1Tg4Jk7x'])).action(
    async (videoId: string) => {
      const deleted = await session.client().videos.delete(videoId);
      session.print.record(deleted, { Video: deleted.videoId, Deleted: time(deleted.deletedAt) });
    },
  );
}

async function show(session: Session, videoId: string): Promise<void> {
  const { videos } = session.client();
  const [status, address] = [await videos.get(videoId), await videos.url(videoId)];
  session.print.record(
    { ...address, ...status },
    {
      Video: status.videoId,
      Status: status.status,
      Progress: `${status.progress} %`,
      Created: time(status.createdAt),
      Message: status.message,
      Type: address.type,
      Address: address.url,
      Poster: address.posterUrl,
    },
  );
}

/** @throws CommandError if the video cannot be transcoded */
async function transcoded(session: Session, videoId: string): Promise<void> {
  const { videos } = session.client();
  const isDone = ({ status }: VideoProgress) => status === 'completed' || status === 'failed';
  const describe = ({ status, progress }: VideoProgress) =>
    status === 'processing' ? `Transcoded ${progress} %` : 'Waiting for the transcoding …';
  const { status, message } = await waitFor({ ask: () => videos.get(videoId), isDone, describe }, session.print);
  if (status === 'failed')
    throw new CommandError(`${videoId} failed: ${message ?? 'no reason is known'}`, `Delete it with: vc videos delete ${videoId}`);
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new CommandError(`${file} is no file`, 'Check its name and its folder.');
  return found.size;
}

/** Reports each tenth once. */
function percentages(report: (percent: number) => void): (share: number) => void {
  let last = 0;
  return (share) => {
    const percent = Math.floor(share * 10) * 10;
    if (percent > last) report(percent);
    last = percent;
  };
}
