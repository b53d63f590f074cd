/** @lane real-time */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApiClient,
  type Film,
  newOrganization,
  PatternPerson,
  person,
  RecordedRoom,
  sharedStack,
  sleep,
  watchFilm,
} from '@classroom/testing';

const BLUE = { color: [200, 100], hertz: 700 } as const;

interface Shown {
  recordingId: string;
  duration: number;
  paused?: boolean;
  mergedFrom: string[];
  downloadUrl: string;
}

/** From the pause of a recording to one file of its parts. LiveKit, Chromium and ffmpeg are real. */
describe('a recording in parts', () => {
  let api: ApiClient;
  let room: RecordedRoom;
  let folder: string;
  let figure: PatternPerson | undefined;
  const path = () => `/v1/room/${room.roomId}` as const;
  const refusal = (status: number, error: string) => ({ status, body: { success: false, error } });

  beforeAll(async () => {
    const stack = await sharedStack();
    folder = await mkdtemp(join(tmpdir(), 'parts-'));
    ({ api } = await newOrganization(stack));
    room = await RecordedRoom.open(stack, api, async ({ token }) => {
      figure = await PatternPerson.connect(stack.urls.livekitPublic, token, BLUE);
    });
  });
  afterAll(async () => {
    await figure?.leave().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  async function watch({ recordingId, downloadUrl }: Shown): Promise<Film> {
    const file = join(folder, `${recordingId}.mp4`);
    await writeFile(file, Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()));
    return watchFilm(file);
  }

  it('pauses, resumes with the same options, and is one file after the class', async () => {
    expect(await api.post(`${path()}/recording/resume`)).toMatchObject(refusal(409, 'NO_PAUSED_RECORDING'));
    expect(await api.post(`${path()}/recording/pause`)).toMatchObject(refusal(409, 'NO_ACTIVE_RECORDING'));
    const first = await room.started({ layout: 'speaker', preset: 'H264_720P_30' });
    await room.reaches(['ACTIVE']);
    expect(await api.post(`${path()}/recording/resume`)).toMatchObject(refusal(409, 'RECORDING_IN_PROGRESS'));
    await sleep(3_000);
    const token = (await api.post(`${path()}/join`, { participant: person('helper', 'TEACHER') })).body.data.token as string;
    const inClass = api.bearer((await api.bearer(token).post('/v1/classroom/session')).body.data.classroomToken);
    const shown = async () => (await inClass.get('/v1/classroom/state')).body.data.recording;
    const paused = await inClass.post('/v1/classroom/recording/pause');
    expect(paused.body).toMatchObject({ message: 'Recording paused', data: { egressId: first, status: 'EGRESS_ENDING' } });
    expect(await room.status()).toMatchObject({ isRecording: false });

    // Its only recorder makes the file first.
    await room.reaches(['COMPLETED']);
    expect(await shown()).toMatchObject({ egressId: first, paused: true });
    const resumed = await inClass.post('/v1/classroom/recording/resume');
    expect(resumed.body).toMatchObject({ message: 'Recording resumed', data: { status: 'EGRESS_STARTING' } });
    const second = resumed.body.data.egressId as string;
    await room.reaches(['COMPLETED', 'ACTIVE']);
    expect(await shown()).toEqual({ egressId: second, status: 'ACTIVE' });
    expect(await api.post(`${path()}/recordings/merge`)).toMatchObject(refusal(409, 'RECORDING_IN_PROGRESS'));
    await sleep(3_000);
    await room.end();
    await room.reaches(['COMPLETED', 'COMPLETED']);

    const merge = await api.post(`${path()}/recordings/merge`);
    expect(merge.body).toMatchObject({ message: 'Recordings are merged', data: { egressId: expect.stringMatching(/^EG_/) } });
    const { egressId } = merge.body.data as { egressId: string };
    await room.reaches(['COMPLETED', 'COMPLETED', 'COMPLETED']);
    expect((await api.post(`${path()}/recordings/merge`)).body.data).toMatchObject({ egressId, status: 'EGRESS_COMPLETED' });

    const parts = [`rec_${first}`, `rec_${second}`];
    const list = (await api.get(`${path()}/recordings`)).body.data;
    expect(list.map(({ recordingId, paused, mergedFrom }) => ({ recordingId, paused, mergedFrom }))).toEqual([
      { recordingId: parts[0], paused: true, mergedFrom: [] },
      { recordingId: parts[1], paused: false, mergedFrom: [] },
      { recordingId: `rec_${egressId}`, paused: false, mergedFrom: parts },
    ]);
    const { files } = (await room.download()).body.data as { files: (Shown & { startedAt: string; endedAt: string })[] };
    const [one, two, whole] = files;
    if (!one || !two || !whole) throw new Error(`there are ${files.length} files`);
    expect([whole.startedAt, whole.endedAt]).toEqual([one.startedAt, two.endedAt]);
    const films = [await watch(one), await watch(two), await watch(whole)] as const;
    expect(films[2]).toMatchObject({ codecs: ['aac', 'h264'], size: { width: 1280, height: 720 } });
    // The decoder may repeat or leave out a frame where two parts meet.
    expect(Math.abs(films[2].frames.length - films[0].frames.length - films[1].frames.length)).toBeLessThan(3);
    expect(Math.abs(films[2].duration - films[0].duration - films[1].duration)).toBeLessThan(0.5);
  });

  it('has nothing to merge if the class has one file', async () => {
    const stack = await sharedStack();
    let other: PatternPerson | undefined;
    const single = await RecordedRoom.open(stack, api, async ({ token }) => {
      other = await PatternPerson.connect(stack.urls.livekitPublic, token, BLUE);
    });
    await single.started({ preset: 'H264_720P_30' });
    await single.reaches(['ACTIVE']);
    await single.end();
    await single.reaches(['COMPLETED']);
    await other?.leave();
    expect(await api.post(`/v1/room/${single.roomId}/recordings/merge`)).toMatchObject(refusal(409, 'NOTHING_TO_MERGE'));
  });
});
