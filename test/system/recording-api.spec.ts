import {
  inLongForm,
  ApiClient,
  eventually,
  expectRecordingInvariants,
  isLongForm,
  metricSample,
  newOrganization,
  newRoom,
  person,
  type RecordedRoom,
  RtcParticipant,
  WebhookReceiver,
} from '@classroom/testing';
import { startRecordingFixture, type RecordingFixture } from './recording-fixture.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HOUR_MS = 3_600_000;

/** The recording endpoints in detail, with a simulated recorder. LiveKit is the real one in the long form, and simulated in the short one. */
describe('recording a class', () => {
  let fixture: RecordingFixture;
  let api: ApiClient;
  let stranger: ApiClient;
  beforeAll(async () => {
    fixture = await startRecordingFixture(isLongForm);
    ({ api } = fixture);
    stranger = (await newOrganization(fixture.stack)).api;
  });
  afterEach(async () => {
    fixture.recorder.resetBehaviour();
    await expectRecordingInvariants(fixture.stack, fixture.recorder);
  });
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await fixture?.stop();
  });

  const open = (overrides?: object) => fixture.open(overrides);
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
        duration: expect.any(Number),
        audioOnly: false,
        reason: null,
        health: 'OK',
        mergedFrom: [],
        paused: false,
        availableUntil: null,
        copy: null,
      },
    ]);
    expect(await room.start()).toMatchObject(inProgress);
    expect(await room.download()).toMatchObject(inProgress);
    await room.reaches(['ACTIVE']);

    const stopped = await room.stop();
    expect(stopped.body).toEqual({
      success: true,
      message: 'Recording stopped',
      data: { egressId, status: 'EGRESS_ENDING', duration: expect.any(Number), keptHours: 6 },
    });
    expect(Number.isInteger(stopped.body.data.duration)).toBe(true);
    expect(await isRecording(room)).toBe(false);
    const [done] = await room.reaches(['COMPLETED']);
    expect(done).toMatchObject({ endedAt: expect.stringMatching(INSTANT), duration: 7 });
    expect(await metricSample(fixture.stack, 'recording', 'classroom_recording_ended_total', 'status="COMPLETED"', 'cut="false"')).toBe(1);
    expect(await room.stop()).toMatchObject(noneActive);
    expect(await room.stop(egressId)).toMatchObject(noneActive);
    // Complete, although the class continues.
    expect(await room.download()).toMatchObject(inProgress);
  });

  it('is refused with options or an egress id that are not valid', async () => {
    const room = await open();
    for (const options of [{ layout: 'mosaic' }, { preset: '4K' }, { showLogo: 'yes' }]) {
      const refused = await room.start(options);
      expect(refused).toMatchObject({ status: 400, body: { error: 'VALIDATION_FAILED' } });
      expect(refused.body.details).toMatchObject([{ path: `options.${Object.keys(options)[0]}` }]);
    }
    const stopped = await api.post(`/v1/room/${room.roomId}/recording/stop`, { egressId: 7 });
    expect(stopped.body.details).toMatchObject([{ path: 'egressId' }]);
    expect(await room.stop('EG_unknown1234')).toMatchObject(refusal(404, 'RECORDING_NOT_FOUND', 'Recording not found'));
  });

  it('is refused if the caller has no such live room', async () => {
    const room = await open();
    const egressId = await room.started();
    const path = `/v1/room/${room.roomId}` as const;
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
    for (const answer of await Promise.all(all(new ApiClient(fixture.stack.urls.gateway), path))) {
      expect(answer).toMatchObject(refusal(401, 'UNAUTHORIZED', 'Unauthorized'));
    }
    expect(await isRecording(room)).toBe(true);

    const { roomId } = await newRoom(api);
    expect(await api.post(`/v1/room/${roomId}/recording/start`)).toMatchObject(refusal(409, 'ROOM_NOT_LIVE', 'The room is not live'));
    await room.end();
    expect(await room.start()).toMatchObject(refusal(409, 'ROOM_NOT_LIVE', 'The room is not live'));
    // A recording is notified of the class's end by an event. Until then it can still be stopped.
    await room.reaches(['COMPLETED']);
    expect(await room.stop()).toMatchObject(noneActive);
  });

  it('is refused immediately if no recorder is free, and health reports degraded', async () => {
    const room = await open();
    fixture.recorder.behave({ slots: 0 });
    const refused = await room.start();
    expect(refused).toMatchObject(refusal(503, 'RECORDER_BUSY', 'No recorder is free; try again when a recording has ended'));
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await room.list()).toEqual([]);
    expect(await isRecording(room)).toBe(false);
    expect(await room.stop()).toMatchObject(noneActive);
    await eventually(async () => {
      const { body } = await new ApiClient(fixture.stack.urls.gateway).get('/v1/health/status');
      expect(body.data.status).toBe('degraded');
    });
  });

  it('is started and stopped by the teacher, only stopped by the moderator, and neither by a student', async () => {
    const room = await open();
    const member = async (role: string) => {
      const { token } = (await api.post(`/v1/room/${room.roomId}/join`, { participant: person(role.toLowerCase(), role) })).body.data;
      const session = (await api.bearer(token).post('/v1/classroom/session')).body.data;
      await fixture.enter({ token: session.livekitToken });
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
  });

  inLongForm(it)('starts once automatically with the first participant who publishes', async () => {
    const automatic = async () => {
      const { roomId, sid, token } = await newRoom(api, { settings: { autoRecord: true } });
      const list = async () => (await api.get(`/v1/room/${roomId}/recordings`)).body.data as { status: string }[];
      const stop = () => api.post(`/v1/room/${roomId}/recording/stop`);
      return { sid, list, stop, teacher: await fixture.enter({ token }) };
    };
    /** Waits until a later class is recorded: then an earlier one would be, too. */
    const afterAnotherClass = async () => {
      const other = await automatic();
      await other.teacher.publish('MICROPHONE');
      await eventually(async () => expect(await other.list()).toMatchObject([{ status: 'ACTIVE' }]));
      await other.stop();
    };
    const { sid, list, stop, teacher } = await automatic();
    await afterAnotherClass();
    expect(await list()).toEqual([]);
    await teacher.publish('MICROPHONE');
    await eventually(async () => expect(await list()).toMatchObject([{ status: 'ACTIVE' }]));
    await stop();
    await teacher.publish('CAMERA');
    await afterAnotherClass();
    expect(fixture.recorder.of(sid)).toHaveLength(1);
    await eventually(async () => expect(await list()).toMatchObject([{ status: 'COMPLETED' }]));
  });

  it('is reported to the school’s backend by webhook, from its start to the deletion of its file', async () => {
    const receiver = await WebhookReceiver.start();
    const eventTypes = ['recording.started', 'recording.completed', 'recording.failed', 'recording.deleted'];
    const { endpointId } = (await api.post('/v1/webhook-endpoints', { url: receiver.url(), eventTypes })).body.data;
    const room = await open();
    const good = await room.recorded();
    fixture.recorder.behave({ failsUpload: true });
    const bad = await room.started();
    await room.reaches(['COMPLETED', 'ACTIVE']);
    await room.stop(bad);
    await room.reaches(['COMPLETED', 'FAILED']);
    await room.end();
    await fixture.stack.moveClock(7 * HOUR_MS);
    const received = (egressId: string) =>
      receiver
        .on('/hook')
        .filter(({ event: { data } }) => data['egressId'] === egressId)
        .map(({ event: { type, data } }) => `${type} ${String(data['status'])}`)
        .toSorted();
    await eventually(() =>
      expect(received(good)).toEqual(['recording.completed COMPLETED', 'recording.deleted COMPLETED', 'recording.started STARTING']),
    );
    await eventually(() =>
      expect(received(bad)).toEqual(expect.arrayContaining(['recording.failed FAILED', 'recording.started STARTING'])),
    );
    const [completed] = receiver.on('/hook', 'recording.completed').filter(({ event: { data } }) => data['egressId'] === good);
    expect(completed?.event.data).toMatchObject({ roomId: room.roomId, sid: room.sid, recordingId: `rec_${good}`, duration: 7 });
    await fixture.stack.moveClock(0);
    await api.delete(`/v1/webhook-endpoints/${endpointId}`);
    await receiver.stop();
  });
});
