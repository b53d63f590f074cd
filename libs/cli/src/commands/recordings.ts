import type { Body, Recording } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import { type Destination, openUrl, saveFile, saving } from '../output/save-file.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { choice, declare, group } from './declare.js';

type RecordingOptions = NonNullable<NonNullable<Body<'startRecording'>>['options']>;

export function addRecordings(program: Command, session: Session): void {
  const recordings = group(program, 'recordings', 'recordings: start, stop, list and download');
  const room = (command: Command) => command.argument('<roomId>', 'id of the room');

  room(declare(recordings, 'list', 'list the recordings of a room', ['recordings list algebra-1'])).action(async (roomId: string) =>
    session.print.list(
      await session.client().recordings.list(roomId),
      [
        ['recording', ({ recordingId }) => recordingId],
        ['status', ({ status }) => status],
        ['seconds', ({ duration }) => duration],
        ['started', ({ startedAt }) => time(startedAt)],
        ['health', ({ health }) => health],
      ],
      `Room ${roomId} has no recordings. Start one in a live class with: vc recordings start ${roomId}`,
    ),
  );

  room(declare(recordings, 'get', 'show a recording', ['recordings get algebra-1 rec_EG_kA2mPz9Qw3Xn']))
    .argument('<recordingId>', 'id of the recording')
    .action(async (roomId: string, recordingId: string) => {
      const found = (await session.client().recordings.list(roomId)).find((it) => it.recordingId === recordingId);
      if (!found) throw new CommandError(`Room ${roomId} has no recording ${recordingId}`, `Run: vc recordings list ${roomId}`);
      session.print.record(found, fieldsOf(found));
    });

  room(
    declare(recordings, 'start', 'start the recording of a live class', [
      'recordings start algebra-1',
      'recordings start algebra-1 --layout speaker',
    ]),
  )
    .addOption(choice('--layout <layout>', 'how people are arranged', ['grid', 'speaker']))
    .option('--audio-only', 'record the sound alone')
    .action(async (roomId: string, options: Pick<RecordingOptions, 'layout' | 'audioOnly'>) => {
      const started = await session.client().recordings.start(roomId, Object.keys(options).length > 0 ? { options } : {});
      session.print.record(started, { Recording: `rec_${started.egressId}`, Status: started.status, Started: time(started.startedAt) });
    });

  room(declare(recordings, 'stop', 'stop the recording of a class', ['recordings stop algebra-1'])).action(async (roomId: string) => {
    const stopped = await session.client().recordings.stop(roomId);
    session.print.record(stopped, { Recording: `rec_${stopped.egressId}`, Status: stopped.status, Seconds: stopped.duration });
  });

  saving(
    room(
      declare(recordings, 'download', 'download the files of a class that has ended', [
        'recordings download algebra-1',
        'recordings download algebra-1 --out films --force',
      ]),
    ),
  )
    .option('--recording <id>', 'the file of this recording only')
    .action(async (roomId: string, { recording, ...destination }: Destination & { recording?: string }) => {
      const { files } = await session.client().recordings.downloads(roomId);
      const wanted = files.filter(({ recordingId }) => recording === undefined || recordingId === recording);
      if (wanted.length === 0)
        throw new CommandError(
          `Room ${roomId} has no such file`,
          `Run: vc recordings list ${roomId}. A file exists when its recording is COMPLETED.`,
        );
      const saved: { recordingId: string; file: string; size: number }[] = [];
      for (const { recordingId, filename, downloadUrl } of wanted) {
        const { file, size } = await saveFile({ filename, open: () => openUrl(downloadUrl, filename) }, destination);
        saved.push({ recordingId, file, size });
      }
      session.print.list(
        saved,
        [
          ['recording', ({ recordingId }) => recordingId],
          ['file', ({ file }) => file],
          ['bytes', ({ size }) => size],
        ],
        '',
      );
    });
}

const fieldsOf = (recording: Recording) => ({
  Recording: recording.recordingId,
  Room: recording.roomId,
  Status: recording.status,
  Seconds: recording.duration,
  Started: time(recording.startedAt),
  Ended: time(recording.endedAt),
  Health: recording.health,
  Reason: recording.reason,
});
