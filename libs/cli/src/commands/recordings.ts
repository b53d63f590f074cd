import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Body, Recording, RecordingFile } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { choice, declare, group } from './declare.js';

type RecordingOptions = NonNullable<NonNullable<Body<'startRecording'>>['options']>;

interface Destination {
  out: string;
  recording?: string;
  force?: boolean;
}

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

  room(
    declare(recordings, 'download', 'download the files of a class that has ended', [
      'recordings download algebra-1',
      'recordings download algebra-1 --out films --force',
    ]),
  )
    .option('--recording <id>', 'the file of this recording only')
    .option('--out <folder>', 'folder for the files', '.')
    .option('--force', 'replace files that exist')
    .action(async (roomId: string, destination: Destination) => {
      const { files } = await session.client().recordings.downloads(roomId);
      const wanted = files.filter(({ recordingId }) => destination.recording === undefined || recordingId === destination.recording);
      if (wanted.length === 0)
        throw new CommandError(
          `Room ${roomId} has no such file`,
          `Run: vc recordings list ${roomId}. A file exists when its recording is COMPLETED.`,
        );
      mkdirSync(destination.out, { recursive: true });
      const saved: { recordingId: string; file: string; size: number }[] = [];
      for (const file of wanted) saved.push(await download(file, destination));
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

/** A file gets its name when it is complete. */
async function download({ recordingId, filename, downloadUrl }: RecordingFile, { out, force }: Destination) {
  const file = join(out, basename(filename));
  if (existsSync(file) && !force) throw new CommandError(`${file} exists`, 'Give --force to replace it, or another folder with --out.');
  const response = await fetch(downloadUrl);
  if (!response.ok || !response.body)
    throw new CommandError(
      `The storage answered HTTP ${response.status} for ${filename}`,
      'Repeat the command: a link is valid for a limited time.',
    );
  const partial = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(partial));
    renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  return { recordingId, file, size: statSync(file).size };
}
