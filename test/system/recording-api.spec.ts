import {
  ApiClient,
  Bucket,
  eventually,
  expectRecordingInvariants,
  metricSample,
  newOrganization,
  newRoom,
  person,
  type RecordedRoom,
  RtcParticipant,
  sleep,
  WebhookReceiver,
} from '@classroom/testing';
import { startRecordingBench, type RecordingBench } from './recording-bench.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HOUR_MS = 3_600_000;

/** The recording endpoints in detail, on a real LiveKit. The recorder or Egress is simulated. */
describe('recording a class', () => {
  let bench: RecordingBench;
  let api: ApiClient;
  let stranger: ApiClient;
  beforeAll(async () => {
    bench = await startRecordingBench(true);
    ({ api } = bench);
    stranger = (await newOrganization(bench.stack)).api;
  }, 120_000);
  afterEach(async () => {
    bench.recorder.behaveWell();
    await expectRecordingInvariants(bench.stack, bench.recorder);
  }, 40_000);
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await bench?.stop();
  }, 60_000);

  const open = (overrides?: object) => bench.open(overrides);
  const refusal = (status: number, error: string, message: string) => ({
    status,
    body: { success: false, error, message, requestId: expect.any(String) },
  });
  const inProgress = refusal(409, 'RECORDING_IN_PROGRESS', 'Recording in progress');
  const noneActive = refusal(409, 'NO_ACTIVE_RECORDING', 'No recording is active');
  const isRecording = async (room: RecordedRoom) => (await room.status()).isRecording;

  it('starts and stops, which the status and the list show immediately', async () => {
    const room = await open();
    expect(await isRecording(room)).toBe(false);
    const started = await room.start();
    expect(started.status).toBe(200);
    expect(started.body).toEqual({
      success: true,
      message: 'Recording started',
      data: {
        egressId: expect.stringMatching(/^EG_/),
        roomId: room.roomId,
        status: 'EGRESS_STARTING',
        startedAt: expect.stringMatching(INSTANT),
      },
    });
    const { egressId } = started.body.data;
    expect(await isRecording(room)).toBe(true);
    expect(await room.list()).toEqual([
      {
        recordingId: `rec_${egressId}`,
        roomId: room.roomId,
        status: expect.stringMatching(/^(STARTING|ACTIVE)$/),
        startedAt: expect.stringMatching(INSTANT),
        endedAt: null,
        duration: 0,
      },
    ]);
    expect(await room.start()).toMatchObject(inProgress);
    expect(await room.download()).toMatchObject(inProgress);
    await room.reaches(['ACTIVE']);

    const stopped = await room.stop();
    expect(stopped.body).toEqual({
      success: true,
      message: 'Recording stopped',
      data: { egressId, status: 'EGRESS_ENDING', duration: expect.any(Number) },
    });
    expect(Number.isInteger(stopped.body.data.duration)).toBe(true);
    expect(await isRecording(room)).toBe(false);
    const [done] = await room.reaches(['COMPLETED']);
    expect(done).toMatchObject({ endedAt: expect.stringMatching(INSTANT), duration: 7 });
    expect(await metricSample(bench.stack, 'recording', 'classroom_recording_ended_total', 'status="COMPLETED"', 'cut="false"')).toBe(1);
    expect(await room.stop()).toMatchObject(noneActive);
    expect(await room.stop(egressId)).toMatchObject(noneActive);
    // Complete, although the class continues.
    expect(await room.download()).toMatchObject(inProgress);
  }, 60_000);

  it('passes the options to the recorder', async () => {
    const branding = { logoUrl: 'https://school.example/logo.png' };
    const { api: branded } = await newOrganization(bench.stack, { branding });
    const { roomId, sid, token } = await newRoom(branded, { title: 'Ünïcode & co' });
    await bench.enter({ sid, token });
    const path = `/v1/room/${roomId}/recording`;
    const asked: [object | undefined, object][] = [
      [undefined, { layout: 'grid', preset: 'H264_1080P_30', logoUrl: branding.logoUrl }],
      [{}, { layout: 'grid', preset: 'H264_1080P_30', logoUrl: branding.logoUrl }],
      [
        { options: { showLogo: false, layout: 'speaker', preset: 'H264_720P_30', unknown: 1 } },
        { layout: 'speaker', preset: 'H264_720P_30', logoUrl: '' },
      ],
    ];
    for (const [body, job] of asked) {
      await eventually(async () => expect((await branded.post(`${path}/start`, body)).status).toBe(200));
      expect(bench.recorder.of(sid).at(-1)?.order.request).toMatchObject({ ...job, sid, title: 'Ünïcode & co' });
      await branded.post(`${path}/stop`);
    }
    for (const options of [{ layout: 'mosaic' }, { preset: '4K' }, { showLogo: 'yes' }]) {
      const refused = await branded.post(`${path}/start`, { options });
      expect(refused).toMatchObject({ status: 400, body: { error: 'VALIDATION_FAILED' } });
      expect(refused.body.details).toMatchObject([{ path: `options.${Object.keys(options)[0]}` }]);
    }
    expect((await branded.post(`${path}/stop`, { egressId: 7 })).body.details).toMatchObject([{ path: 'egressId' }]);
    for (const egressId of ['EG_unknown1234', 'no id', '', 'EG_\u0000']) {
      expect(await branded.post(`${path}/stop`, { egressId })).toMatchObject(refusal(404, 'RECORDING_NOT_FOUND', 'Recording not found'));
    }
  }, 60_000);

  it('is refused if the caller has no such live room', async () => {
    const room = await open();
    const egressId = await room.started();
    const path = `/v1/room/${room.roomId}`;
    const all = (caller: ApiClient, at: string) => [
      caller.post(`${at}/recording/start`),
      caller.post(`${at}/recording/stop`),
      caller.post(`${at}/recording/stop`, { egressId }),
      caller.get(`${at}/recordings`),
    ];
    for (const answer of await Promise.all([...all(stranger, path), ...all(api, '/v1/room/never-made')])) {
      expect(answer).toMatchObject(refusal(404, 'ROOM_NOT_FOUND', 'Room not found'));
    }
    for (const answer of await Promise.all([
      stranger.get(`${path}/recordings/download`),
      api.get('/v1/room/never-made/recordings/download'),
    ])) {
      expect(answer).toMatchObject(refusal(404, 'ROOM_NOT_FOUND', 'Classroom not found'));
    }
    for (const answer of await Promise.all(all(new ApiClient(bench.stack.urls.gateway), path))) {
      expect(answer).toMatchObject(refusal(401, 'UNAUTHORIZED', 'Unauthorized'));
    }
    const other = await open();
    expect((await other.stop(egressId)).body.error).toBe('RECORDING_NOT_FOUND');
    expect(await isRecording(room)).toBe(true);

    const { roomId } = await newRoom(api);
    expect(await api.post(`/v1/room/${roomId}/recording/start`)).toMatchObject(refusal(409, 'ROOM_NOT_LIVE', 'The room is not live'));
    await room.end();
    expect(await room.start()).toMatchObject(refusal(409, 'ROOM_NOT_LIVE', 'The room is not live'));
    // A recording is notified of the class's end by an event. Until then it can still be stopped.
    await room.reaches(['COMPLETED']);
    expect(await room.stop()).toMatchObject(noneActive);
  }, 60_000);

  it('is possible while an earlier recording is ending', async () => {
    const room = await open();
    bench.recorder.behave({ endsAfterMs: 2_000 });
    const first = await room.started();
    await room.reaches(['ACTIVE']);
    await room.stop(first);
    bench.recorder.behaveWell();
    const second = await room.started();
    expect(second).not.toBe(first);
    await room.reaches(['ENDING', 'ACTIVE']);
    expect((await room.stop(first)).body.error).toBe('NO_ACTIVE_RECORDING');
    await room.stop(second);
    await room.reaches(['COMPLETED', 'COMPLETED']);
    await room.end();
    expect((await room.download()).body.data.files).toHaveLength(2);
  }, 60_000);

  it('starts once for several concurrent requests', async () => {
    const room = await open();
    const answers = await Promise.all(Array.from({ length: 6 }, () => room.start()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(bench.recorder.of(room.sid)).toHaveLength(1);
    await room.end();
    await eventually(async () => expect((await room.list())[0]?.status).toMatch(/COMPLETED|ABORTED/));
  }, 60_000);

  it('is refused immediately if no recorder is free, and health reports degraded', async () => {
    const room = await open();
    bench.recorder.behave({ slots: 0 });
    const refused = await room.start();
    expect(refused).toMatchObject(refusal(503, 'RECORDER_BUSY', 'No recorder is free; try again when a recording has ended'));
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await room.list()).toEqual([]);
    expect(await isRecording(room)).toBe(false);
    expect(await room.stop()).toMatchObject(noneActive);
    await eventually(async () => {
      const { body } = await new ApiClient(bench.stack.urls.gateway).get('/v1/health/status');
      expect(body.data.status).toBe('degraded');
    }, 12_000);
  }, 60_000);

  it('ends with the class, and the answer to that end has wasRecording', async () => {
    const room = await open();
    bench.recorder.behave({ endsAfterMs: 1_500 });
    await room.started();
    await room.reaches(['ACTIVE']);
    expect(await room.end()).toMatchObject({ status: 200, body: { data: { roomId: room.roomId, wasRecording: true } } });
    expect(await isRecording(room)).toBe(false);
    await room.reaches(['ENDING']);
    // No file is complete, but one is in progress.
    expect(await room.download()).toMatchObject(inProgress);
    await room.reaches(['COMPLETED']);
    expect(bench.recorder.of(room.sid)[0]?.stops).toBeGreaterThan(0);
    const without = await open();
    expect((await without.end()).body.data.wasRecording).toBe(false);
    expect((await without.download()).body).toEqual({
      success: true,
      message: 'Download links',
      data: { roomId: without.roomId, files: [], expiresIn: '5h 59m', availableUntil: expect.stringMatching(INSTANT) },
    });
  }, 60_000);

  it('is started and stopped by the teacher, only stopped by the moderator, and neither by a student', async () => {
    const room = await open();
    const member = async (role: string) => {
      const { token } = (await api.post(`/v1/room/${room.roomId}/join`, { participant: person(role.toLowerCase(), role) })).body.data;
      const session = (await api.bearer(token).post('/v1/classroom/session')).body.data;
      await RtcParticipant.connect(bench.stack.urls.livekitPublic, session.livekitToken);
      return api.bearer(session.classroomToken);
    };
    const [teacher, moderator, student, admin] = [
      await member('TEACHER'),
      await member('MODERATOR'),
      await member('STUDENT'),
      await member('ADMIN'),
    ];
    const start = (caller: ApiClient) => caller.post('/v1/classroom/recording/start', { options: { layout: 'speaker' } });
    const stop = (caller: ApiClient) => caller.post('/v1/classroom/recording/stop');
    const forbidden = { status: 403, body: { success: false, error: 'FORBIDDEN' } };
    for (const caller of [moderator, student]) expect(await start(caller)).toMatchObject(forbidden);
    for (const by of [moderator, teacher, admin]) {
      expect(await start(teacher)).toMatchObject({ status: 200, body: { data: { roomId: room.roomId, status: 'EGRESS_STARTING' } } });
      expect(await stop(student)).toMatchObject(forbidden);
      expect(await stop(by)).toMatchObject({ status: 200, body: { data: { status: 'EGRESS_ENDING' } } });
    }
    expect(await stop(moderator)).toMatchObject(noneActive);
    expect((await start(admin)).status).toBe(200);
    expect((await stop(admin)).status).toBe(200);
    await eventually(async () => expect((await room.list()).every(({ status }) => /COMPLETED|ABORTED/.test(status))).toBe(true));
    await room.end();
    expect((await start(teacher)).status).toBeGreaterThanOrEqual(400);
  }, 40_000);

  it('starts once automatically with the first participant who publishes', async () => {
    const { roomId, sid, token } = await newRoom(api, { settings: { autoRecord: true } });
    const list = async () => (await api.get(`/v1/room/${roomId}/recordings`)).body.data as { status: string }[];
    const teacher = await RtcParticipant.connect(bench.stack.urls.livekitPublic, token);
    await sleep(1_500);
    expect(await list()).toEqual([]);
    await teacher.publishTone();
    await eventually(async () => expect(await list()).toMatchObject([{ status: 'ACTIVE' }]), 15_000);
    await api.post(`/v1/room/${roomId}/recording/stop`);
    await teacher.publishPicture();
    await sleep(2_500);
    expect(bench.recorder.of(sid)).toHaveLength(1);
    await eventually(async () => expect(await list()).toMatchObject([{ status: 'COMPLETED' }]));
  }, 40_000);

  describe('its download', () => {
    it('is a link that gives the whole file or ranges under a readable name, and no other file', async () => {
      const room = await open({ title: 'Größen: "Algebra" / 1' });
      await room.recorded();
      await room.recorded();
      await room.end();
      const { status, body } = await room.download();
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true, message: 'Download links', data: { roomId: room.roomId, expiresIn: '5h 59m' } });
      const [film] = bench.recorder.of(room.sid);
      const [file, other] = body.data.files;
      const [recording] = await room.list();
      expect(file).toEqual({
        recordingId: recording?.recordingId,
        urlExpiresAt: expect.stringMatching(INSTANT),
        filename: expect.stringMatching(/^Größen Algebra 1 \d{4}-\d\d-\d\d \d\d-\d\d\.mp4$/),
        downloadUrl: expect.stringMatching(/^http/),
        size: film?.film.length,
        duration: 7,
        startedAt: expect.stringMatching(INSTANT),
        endedAt: expect.stringMatching(INSTANT),
      });
      const organizationId = (api as unknown as { headers: Record<string, string> }).headers['VF-ORG-ID'] ?? '';
      expect(body.data.files.map((one: { downloadUrl: string }) => one.downloadUrl).join()).not.toContain(organizationId);

      const whole = await fetch(file.downloadUrl);
      expect(whole.headers.get('content-type')).toBe('video/mp4');
      expect(whole.headers.get('content-disposition')).toContain(`filename*=UTF-8''${encodeURIComponent(file.filename)}`);
      expect(Buffer.from(await whole.arrayBuffer()).equals(film?.film ?? Buffer.alloc(0))).toBe(true);
      const part = await fetch(file.downloadUrl, { headers: { range: 'bytes=100-199' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${file.size}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(film?.film.subarray(100, 200) ?? Buffer.alloc(0))).toBe(true);

      const change = (edit: (url: URL) => void) => {
        const url = new URL(file.downloadUrl);
        edit(url);
        return fetch(url).then(({ status: code }) => code);
      };
      expect(await change((url) => (url.pathname = new URL(other.downloadUrl).pathname))).toBe(403);
      expect(await change((url) => url.searchParams.set('X-Amz-Expires', '604800'))).toBe(403);
      expect(await change((url) => url.searchParams.set('response-content-disposition', 'inline'))).toBe(403);
      expect(await change((url) => (url.search = ''))).toBeGreaterThanOrEqual(400);
      const signed = new URL(file.downloadUrl).searchParams;
      expect(signed.get('X-Amz-Expires')).toBe('3600');
      // The signature's time is in whole seconds.
      const signedAt = Date.parse((signed.get('X-Amz-Date') ?? '').replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
      expect(Date.parse(file.urlExpiresAt) - signedAt).toBeGreaterThanOrEqual(3_600_000);
      expect(Date.parse(file.urlExpiresAt) - signedAt).toBeLessThan(3_601_000);
      const { endedAt } = (await api.get(`/v1/room/${room.roomId}/summary`)).body.data.timestamps;
      expect(Date.parse(body.data.availableUntil) - Date.parse(endedAt)).toBe(6 * HOUR_MS);
    }, 30_000);

    it('is available for 6 h after the class and at least 1 h after completion, and then only its entry remains', async () => {
      const room = await open();
      await room.recorded();
      await room.end();
      // Its file arrives only when most of the retention period since the end of the class has passed.
      const late = await open();
      bench.recorder.behave({ isMute: true });
      await late.started();
      await eventually(() => expect(bench.recorder.running(late.sid).status).toBe('EGRESS_ACTIVE'));
      await late.end();
      await eventually(() => expect(bench.recorder.of(late.sid)[0]?.status).toBe('EGRESS_COMPLETE'));
      const without = await open();
      await without.end();

      const now = (await room.download()).body.data;
      await bench.stack.moveClock(6 * HOUR_MS - 60_000);
      expect(await room.download()).toMatchObject({ status: 200, body: { data: { expiresIn: '0h 0m' } } });
      await late.age(30);
      await late.reaches(['COMPLETED']);
      expect((await late.download()).body.data.expiresIn).toMatch(/^(0h 59m|1h 0m)$/);

      const [{ endedAt }] = (await bench.stack.rows<{ endedAt: Date }>('SELECT ended_at AS "endedAt" FROM room.rooms WHERE sid = $1', [
        room.sid,
      ])) as [{ endedAt: Date }];
      await bench.stack.moveClock(endedAt.getTime() + 6 * HOUR_MS - 3_000 - Date.now());
      const [shortLived] = (await room.download()).body.data.files;
      expect(Number(new URL(shortLived.downloadUrl).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(3);
      expect((await fetch(shortLived.downloadUrl)).status).toBe(200);
      await sleep(3_300);
      expect((await fetch(shortLived.downloadUrl)).status).toBe(403);
      expect(await room.download()).toMatchObject(refusal(410, 'RECORDING_EXPIRED', 'Download window expired'));
      expect((await late.download()).status).toBe(200);
      await bench.stack.moveClock(endedAt.getTime() + 6 * HOUR_MS + 60_000 - Date.now());
      expect(await without.download()).toMatchObject(refusal(410, 'RECORDING_EXPIRED', 'Download window expired'));
      await eventually(async () => expect((await fetch(now.files[0].downloadUrl)).status).toBe(404));
      expect(await room.list()).toMatchObject([{ status: 'COMPLETED', duration: 7 }]);
      const kept = async ({ sid }: RecordedRoom) =>
        [...(await Bucket.of(bench.stack).list('recordings/')).keys()].filter((key) => key.includes(sid)).length;
      expect([await kept(room), await kept(late)]).toEqual([0, 1]);

      await bench.stack.moveClock(7 * HOUR_MS + 60_000);
      await eventually(async () => expect(await kept(late)).toBe(0));
      expect((await late.download()).status).toBe(410);
      await bench.stack.moveClock(0);
    }, 40_000);
  });

  it('is reported to the school’s backend by webhook, from its start to the deletion of its file', async () => {
    const receiver = await WebhookReceiver.start();
    const eventTypes = ['recording.started', 'recording.completed', 'recording.failed', 'recording.deleted'];
    const { endpointId } = (await api.post('/v1/webhook-endpoints', { url: receiver.url(), eventTypes })).body.data;
    const room = await open();
    const good = await room.recorded();
    bench.recorder.behave({ failsUpload: true });
    const bad = await room.started();
    await room.reaches(['COMPLETED', 'ACTIVE']);
    await room.stop(bad);
    await room.reaches(['COMPLETED', 'FAILED']);
    await room.end();
    await bench.stack.moveClock(7 * HOUR_MS);
    const received = (egressId: string) =>
      receiver
        .on('/hook')
        .filter(({ event: { data } }) => data['egressId'] === egressId)
        .map(({ event: { type, data } }) => `${type} ${String(data['status'])}`)
        .toSorted();
    await eventually(
      () => expect(received(good)).toEqual(['recording.completed COMPLETED', 'recording.deleted COMPLETED', 'recording.started STARTING']),
      30_000,
    );
    expect(received(bad)).toEqual(expect.arrayContaining(['recording.failed FAILED', 'recording.started STARTING']));
    const [completed] = receiver.on('/hook', 'recording.completed').filter(({ event: { data } }) => data['egressId'] === good);
    expect(completed?.event.data).toMatchObject({ roomId: room.roomId, sid: room.sid, recordingId: `rec_${good}`, duration: 7 });
    await bench.stack.moveClock(0);
    await api.delete(`/v1/webhook-endpoints/${endpointId}`);
    await receiver.stop();
  }, 90_000);
});
