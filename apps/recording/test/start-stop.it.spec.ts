import { createHmac } from 'node:crypto';
import type { CaptureJob } from '@classroom/contracts';
import { verifyFilmToken } from '@classroom/platform';
import { tenantOf } from '@classroom/storage';
import { eventually } from '@classroom/testing';
import { HOUR, RecordingFixture, SECOND } from './support/recording-fixture.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** The watchdog looks `seconds` after a moment between the request and now. */
function expectLookAfter(seconds: number, { requestedAt, lookAt }: { requestedAt: Date; lookAt: Date | null }): void {
  expect(lookAt?.getTime()).toBeGreaterThanOrEqual(requestedAt.getTime() + seconds * SECOND);
  expect(lookAt?.getTime()).toBeLessThanOrEqual(Date.now() + seconds * SECOND);
}

let fixture: RecordingFixture;
beforeAll(async () => {
  fixture = await RecordingFixture.start();
});
afterEach(() => fixture.reset());
afterAll(() => fixture?.stop());

/** The claims of a token, whose signature is checked. */
function claimsOf(token: string): Record<string, unknown> {
  const [header = '', body = '', signature] = token.split('.');
  const { livekitApiSecret = '' } = fixture.stack.secrets;
  expect(createHmac('sha256', livekitApiSecret).update(`${header}.${body}`).digest('base64url')).toBe(signature);
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
}

describe('the start of a recording', () => {
  it('reserves the room, gives a recorder the job, and is published with its payload', async () => {
    fixture.recorder.behave({ activeAfterMs: null });
    const room = fixture.newClass({ title: 'Ünïcode & co' });
    const { organizationId, roomId } = room.ids;
    const answer = await room.start({ layout: 'speaker', preset: 'H264_720P_30' }, 'https://school.example/logo.png');
    expect(answer).toEqual({
      egressId: expect.stringMatching(/^EG_[A-HJ-NP-Za-km-z2-9]{14}$/),
      roomId,
      status: 'EGRESS_STARTING',
      startedAt: expect.stringMatching(INSTANT),
    });
    const { egressId, startedAt } = answer;

    const row = await room.row();
    expect(row).toMatchObject({ status: 'STARTING', version: 1, egressId, engineIds: [egressId], activeAt: null, endedAt: null });
    expect(row.requestedAt.toISOString()).toBe(startedAt);
    expect(row.attemptedAt).toEqual(row.requestedAt);
    expectLookAfter(30, row);
    const job = room.capture().order.request as CaptureJob;
    expect(job).toEqual({
      egressId,
      sid: room.sid,
      title: 'Ünïcode & co',
      livekitUrl: fixture.stack.urls.livekitPublic,
      pageUrl: `${fixture.stack.urls.gateway}/recording`,
      token: expect.any(String),
      boardToken: expect.any(String),
      logoUrl: room.logoPath('https://school.example/logo.png'),
      layout: 'speaker',
      preset: 'H264_720P_30',
      audioOnly: false,
      objectKey: `recordings/${tenantOf(organizationId)}/${room.sid}/${row.key}/1.mp4`,
    });
    expect(await room.list()).toEqual([
      {
        recordingId: `rec_${egressId}`,
        roomId,
        status: 'STARTING',
        startedAt,
        endedAt: null,
        duration: 0,
        audioOnly: false,
        reason: null,
        health: 'OK',
        mergedFrom: [],
        paused: false,
        availableUntil: null,
        copy: null,
      },
    ]);
    await fixture.drained();
    const data = {
      organizationId,
      sid: room.sid,
      roomId,
      egressId,
      status: 'STARTING',
      version: 1,
      startedAt,
      endedAt: null,
      duration: null,
      reason: null,
      health: 'OK',
      isMerged: false,
      isPaused: false,
    };
    expect(room.facts()).toEqual([{ id: expect.any(String), what: 'started', data }]);
    const notes = fixture.services.notes.filter(({ sid }) => sid === room.sid);
    expect(notes[0]).toEqual({ sid: room.sid, egressId, status: 'STARTING', version: 1, startedAt, isPaused: false });
    await room.stop();
  });

  it('uses the default options, and shows no logo if there is none or it is switched off', async () => {
    const logo = 'https://school.example/logo.png';
    for (const [options, logoUrl, isShown] of [
      [{}, null, false],
      [{}, logo, true],
      [{ showLogo: false }, logo, false],
    ] as const) {
      const room = fixture.newClass();
      await room.start(options, logoUrl);
      const expected = { layout: 'grid', preset: 'H264_1080P_30', logoUrl: isShown ? room.logoPath(logo) : '' };
      expect(room.capture().order.request).toMatchObject(expected);
      await room.stop();
    }
  });

  it('gives the recorder a token with which it can only watch this room', async () => {
    const room = fixture.newClass();
    const egressId = await room.started();
    const { exp, nbf, ...claims } = claimsOf((room.capture().order.request as CaptureJob).token);
    expect(claims).toMatchObject({
      sub: egressId,
      kind: 'egress',
      video: {
        room: room.sid,
        roomJoin: true,
        hidden: true,
        recorder: true,
        canSubscribe: true,
        canPublish: false,
        canPublishData: false,
        canUpdateOwnMetadata: false,
      },
    });
    expect(Number(exp) - Number(nbf)).toBe(5 * 60);
    await room.stop();
  });

  it('gives the recorder another with which its page reads the board of this room', async () => {
    const room = fixture.newClass();
    await room.started();
    const { boardToken = '' } = room.capture().order.request as CaptureJob;
    expect(verifyFilmToken([fixture.stack.secrets['livekitApiSecret'] ?? ''], boardToken)).toBe(room.sid);
    await room.stop();
  });

  it('is refused if the class is not live, is unknown, or belongs to another organization', async () => {
    await expect(fixture.newClass({ state: 'created' }).start()).rejects.toMatchObject({ code: 'ROOM_NOT_LIVE' });
    await expect(fixture.newClass({ state: 'finished', endedAt: new Date().toISOString() }).start()).rejects.toMatchObject({
      code: 'ROOM_NOT_LIVE',
    });
    const room = fixture.newClass();
    const egressId = await room.filming();
    const other = fixture.newClass();
    Object.assign(other.room, { roomId: room.room.roomId });
    for (const call of [
      other.start,
      other.stop,
      () => other.stop(egressId),
      other.list,
      other.download,
      () => other.file(`rec_${egressId}`),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'ROOM_NOT_FOUND' });
    }
    await expect(fixture.newClass().stop(egressId)).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND' });
    expect((await room.row()).status).toBe('ACTIVE');
    expect(await other.rows()).toEqual([]);
    await room.stop();
  });

  it('keeps nothing if the room service is unreachable', async () => {
    const room = fixture.newClass();
    fixture.services.unreachable.add('room');
    await expect(room.start()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await room.rows()).toEqual([]);
    expect(room.captures()).toEqual([]);
  });

  it('succeeds once of several at the same time, and again while the previous recording is ending', async () => {
    const room = fixture.newClass();
    fixture.recorder.behave({ endsAfterMs: HOUR });
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => room.start()));
    const codes = answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as { code: string }).code : 'OK')).sort();
    expect(codes).toEqual(['OK', ...Array.from({ length: 5 }, () => 'RECORDING_IN_PROGRESS')]);
    expect(room.captures()).toHaveLength(1);
    await room.reaches('ACTIVE');
    await expect(room.start()).rejects.toMatchObject({ code: 'RECORDING_IN_PROGRESS' });
    const { egressId: first } = await room.stop();
    fixture.recorder.resetBehaviour();
    const second = await room.started();
    expect(second).not.toBe(first);
    await room.reaches('ENDING', 'ACTIVE');
    await expect(room.stop(first)).rejects.toMatchObject({ code: 'NO_ACTIVE_RECORDING' });
    await room.stop(second);
    await room.captures()[0]?.recover();
    await room.reaches('COMPLETED', 'COMPLETED');
  });

  it('is refused without a free recorder, is not published, and leaves the room free', async () => {
    const room = fixture.newClass();
    fixture.recorder.behave({ slots: 0 });
    await expect(room.start()).rejects.toMatchObject({ code: 'RECORDER_BUSY' });
    const row = await room.row();
    expect(row).toMatchObject({ status: 'REFUSED', version: 1, egressId: null });
    expectLookAfter(20, row);
    expect(await room.list()).toEqual([]);
    await expect(room.stop()).rejects.toMatchObject({ code: 'NO_ACTIVE_RECORDING' });
    fixture.recorder.resetBehaviour();
    await room.filming();
    await room.stop();
    await room.reaches('COMPLETED');
    await fixture.drained();
    expect(room.facts().map(({ what, data }) => `${what} ${data.status}`)).not.toContain('started REFUSED');
    // The watchdog looks once more whether the refused start runs after all, and then never again.
    await room.age(0);
    await eventually(async () => expect((await room.rows()).map(({ lookAt }) => lookAt)).toEqual([null, null]));
  });

  it('is refused as busy if another one reaches the last recorder at the same time', async () => {
    const [one, two] = [fixture.newClass(), fixture.newClass()];
    // Both jobs reach the only slot at the same time; the second is refused by the recorder itself.
    fixture.recorder.behave({ slots: 1, acceptsAfterMs: 300 });
    const answers = await Promise.allSettled([one.start(), two.start()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'RECORDER_BUSY' } });
    await (answers[0].status === 'fulfilled' ? one : two).stop();
  });

  it('is stopped if the class ended while a recorder accepted it', async () => {
    const room = fixture.newClass();
    fixture.recorder.behave({ acceptsAfterMs: 500 });
    const starting = room.start();
    await eventually(async () => expect((await room.row()).status).toBe('REQUESTED'));
    await expect(room.stop()).rejects.toMatchObject({ code: 'NO_ACTIVE_RECORDING' });
    room.finish();
    await starting;
    await eventually(() => expect(room.capture().isRunning).toBe(false));
    await eventually(async () => expect((await room.row()).status).toMatch(/^(COMPLETED|ABORTED)$/));
  });

  it('succeeds if the room service cannot be notified', async () => {
    const room = fixture.newClass();
    fixture.recorder.behave({ acceptsAfterMs: 500 });
    const starting = room.start();
    await eventually(async () => expect((await room.row()).status).toBe('REQUESTED'));
    fixture.services.unreachable.add('room');
    expect((await starting).status).toMatch(/^EGRESS_(STARTING|ACTIVE)$/);
    await room.rowHas({ status: 'ACTIVE' });
    expect(room.noted()).toEqual([]);
    fixture.services.unreachable.clear();
    await room.stop();
    await room.reaches('COMPLETED');
    expect(room.noted()).toContain('COMPLETED');
  });
});

describe('the stop of a recording', () => {
  it('is answered with the seconds recorded so far, and each status is published and noted once', async () => {
    const room = fixture.newClass();
    const egressId = await room.filming();
    const before = Date.now();
    const startedAt = (await room.row()).activeAt;
    // 90.6 s, rounded up.
    await room.setTime('active_at', new Date(Date.now() - 90_600));
    expect((await room.list())[0]?.duration).toBe(91);
    const stopped = await room.stop(egressId);
    expect(stopped).toEqual({ egressId, status: 'EGRESS_ENDING', duration: 91, keptHours: 6 });
    expect(startedAt?.getTime()).toBeLessThanOrEqual(before);
    expect(room.capture().stops).toBe(1);
    const [done] = await room.reaches('COMPLETED');
    expect(done).toMatchObject({ duration: 7, endedAt: expect.stringMatching(INSTANT) });
    await fixture.drained();
    expect(room.facts().map(({ what, data }) => `${what} ${data.status} ${data.version}`)).toEqual([
      'started STARTING 1',
      'active ACTIVE 2',
      'ending ENDING 3',
      'ending ENDING 4',
      'completed COMPLETED 5',
    ]);
    expect(room.facts().at(-1)?.data).toMatchObject({ duration: 7, reason: null, endedAt: done?.endedAt });
    expect(new Set(room.noted())).toEqual(new Set(['STARTING', 'ACTIVE', 'ENDING', 'COMPLETED']));
    await expect(room.stop()).rejects.toMatchObject({ code: 'NO_ACTIVE_RECORDING' });
    await expect(room.stop(egressId)).rejects.toMatchObject({ code: 'NO_ACTIVE_RECORDING' });
    expect(room.capture().stops).toBe(1);
  });

  it.each(['EG_unknown1234', 'no id', '', 'EG_\u0000'])('of an unknown egress %j is refused', async (egressId) => {
    const room = fixture.newClass();
    await room.filming();
    await expect(room.stop(egressId)).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND' });
    expect((await room.row()).status).toBe('ACTIVE');
    await room.stop();
  });

  it('before the first frame aborts the recording', async () => {
    const room = fixture.newClass();
    fixture.recorder.behave({ activeAfterMs: null });
    const egressId = await room.started();
    expect(await room.stop()).toEqual({ egressId, status: 'EGRESS_ENDING', duration: 0, keptHours: 6 });
    await room.reaches('ABORTED');
    await fixture.drained();
    expect(room.facts().at(-1)).toMatchObject({
      what: 'failed',
      data: { status: 'ABORTED', reason: 'Stop called before pipeline could start' },
    });
    expect(await fixture.metric('classroom_recording_ended_total', 'status="ABORTED"', 'cut="false"')).toBeGreaterThanOrEqual(1);
  });

  it('succeeds while the recorder is unreachable, and is repeated later', async () => {
    const room = fixture.newClass();
    await room.filming();
    fixture.recorder.behave({ isUnreachable: true });
    expect((await room.stop()).status).toBe('EGRESS_ENDING');
    expect(room.capture().stops).toBe(0);
    fixture.recorder.resetBehaviour();
    await room.age(30);
    await eventually(() => expect(room.capture().stops).toBe(1));
    await room.reaches('COMPLETED');
  });
});

describe('a pause of a recording', () => {
  it('ends its file, and one of several resumptions begins the next one with the same options', async () => {
    const room = fixture.newClass();
    await room.start({ layout: 'speaker', preset: 'H264_720P_30', showLogo: true }, 'https://school.example/logo.png');
    await room.reaches('ACTIVE');
    expect(await room.pause()).toMatchObject({ status: 'EGRESS_ENDING' });
    await room.reaches('COMPLETED');
    const resumed = await Promise.allSettled([room.resume(), room.resume(), room.resume()]);
    expect(resumed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const list = await room.reaches('COMPLETED', 'ACTIVE');
    expect(list.map(({ paused }) => paused)).toEqual([true, false]);
    const [before, after] = room.captures().map(({ order }) => order.request as CaptureJob);
    const look = ({ layout, preset, logoUrl }: CaptureJob) => ({ layout, preset, logoUrl });
    expect(after && look(after)).toEqual(before && look(before));
    await room.stop();
    await room.reaches('COMPLETED', 'COMPLETED');
    await expect(room.resume()).rejects.toMatchObject({ code: 'NO_PAUSED_RECORDING' });
  });

  it('can be stopped: the recording is then neither running nor paused', async () => {
    const room = fixture.newClass();
    await room.filming();
    const { egressId } = await room.pause();
    await room.reaches('COMPLETED');
    await expect(room.pause()).rejects.toMatchObject({ code: 'NO_ACTIVE_RECORDING' });
    expect(await room.stop()).toMatchObject({ egressId, status: 'EGRESS_COMPLETED' });
    expect((await room.reaches('COMPLETED')).map(({ paused }) => paused)).toEqual([false]);
    expect(fixture.services.notes.at(-1)).toMatchObject({ egressId, status: 'COMPLETED', isPaused: false });
    await expect(room.stop()).rejects.toMatchObject({ code: 'NO_ACTIVE_RECORDING' });
    await expect(room.resume()).rejects.toMatchObject({ code: 'NO_PAUSED_RECORDING' });
  });

  it('stays when no recorder is free for the next file, and cannot be resumed after the class', async () => {
    const room = fixture.newClass();
    await room.filming();
    await room.pause();
    await room.reaches('COMPLETED');
    fixture.recorder.behave({ slots: 0 });
    await expect(room.resume()).rejects.toMatchObject({ code: 'RECORDER_BUSY' });
    fixture.recorder.resetBehaviour();
    await room.resume();
    await room.reaches('COMPLETED', 'ACTIVE');
    await room.pause();
    await room.end();
    await expect(room.resume()).rejects.toMatchObject({ code: 'ROOM_NOT_LIVE' });
  });
});

describe('automatic recording', () => {
  const LOGO = 'https://school.example/auto.png';
  /** Waits until a later class was recorded automatically: then an earlier one would have been, too. */
  const afterAnotherRound = async () => {
    const other = fixture.newClass();
    await other.announce();
    await other.publishTrack();
    await other.reaches('ACTIVE');
    await other.stop();
  };

  it('starts once, with the default options and the logo, when the first participant publishes', async () => {
    const room = fixture.newClass();
    fixture.services.logos.set(room.ids.organizationId, LOGO);
    await room.announce();
    await afterAnotherRound();
    expect(room.captures()).toEqual([]);
    await room.publishTrack();
    await room.reaches('ACTIVE');
    expect(room.capture().order.request).toMatchObject({ logoUrl: room.logoPath(LOGO), layout: 'grid', preset: 'H264_1080P_30' });
    await room.stop();
    await room.publishTrack();
    await room.announce();
    await afterAnotherRound();
    expect(room.captures()).toHaveLength(1);
    await room.reaches('COMPLETED');
  });

  it('of one class does not wait for that of another', async () => {
    const classes = [fixture.newClass(), fixture.newClass()] as const;
    const organizations = classes.map(({ ids }) => ids.organizationId);
    for (const room of classes) await room.announce();
    for (const room of classes) await eventually(async () => expect(await room.known()).toMatchObject({ autoRecord: true }));
    // Whichever is asked about first is answered when the other one is being recorded.
    for (const [index, organizationId] of organizations.entries()) {
      const [other] = classes.filter((_, at) => at !== index);
      const isFirst = () => fixture.services.asked.filter((id) => organizations.includes(id))[0] === organizationId;
      fixture.services.waits.set(organizationId, async () => isFirst() && other?.reaches('ACTIVE'));
    }
    await fixture.stack.rows(`UPDATE recording.rooms SET publishing_at = now(), auto_wanted_at = now() WHERE organization_id = ANY($1)`, [
      organizations,
    ]);
    for (const room of classes) await room.reaches('ACTIVE');
    expect(fixture.services.asked.filter((id) => organizations.includes(id)).toSorted()).toEqual(organizations.toSorted());
    for (const room of classes) await room.stop();
    for (const room of classes) await room.reaches('COMPLETED');
  });

  it('starts if the track is received before the room', async () => {
    const room = fixture.newClass();
    await room.publishTrack();
    await afterAnotherRound();
    expect(room.captures()).toEqual([]);
    await room.announce();
    await room.reaches('ACTIVE');
    await room.stop();
  });

  it('does not start in a class that does not want it, or that has ended', async () => {
    const [unwanted, ended] = [fixture.newClass(), fixture.newClass()];
    await unwanted.announce(false);
    await unwanted.publishTrack();
    await ended.announce();
    await ended.end();
    await eventually(async () => expect(await ended.known()).toMatchObject({ endedAt: expect.any(Date) }));
    await ended.publishTrack();
    await afterAnotherRound();
    expect([...unwanted.captures(), ...ended.captures(), ...(await unwanted.rows()), ...(await ended.rows())]).toEqual([]);
  });

  it('follows a later choice, in whatever order the facts arrive', async () => {
    const [on, off] = [fixture.newClass(), fixture.newClass()];
    await on.announce(false);
    await on.publishTrack();
    await on.choose(true);
    await off.choose(false, new Date(Date.now() + 60_000));
    await off.announce();
    await off.publishTrack();
    await on.reaches('ACTIVE');
    await afterAnotherRound();
    expect([...off.captures(), ...(await off.rows())]).toEqual([]);
    await on.stop();
  });

  it('is retried until a recorder is free, and leaves a manual recording alone', async () => {
    const [busy, manual] = [fixture.newClass(), fixture.newClass()];
    const egressId = await manual.filming();
    fixture.recorder.behave({ slots: 1 });
    await busy.announce();
    await busy.publishTrack();
    await manual.announce();
    await manual.publishTrack();
    await eventually(async () => expect((await busy.row()).status).toBe('REFUSED'));
    await eventually(async () => expect(await manual.known()).toMatchObject({ autoRecordedAt: expect.any(Date), autoWantedAt: null }));
    expect(await manual.list()).toMatchObject([{ recordingId: `rec_${egressId}`, status: 'ACTIVE' }]);
    await manual.stop();
    await eventually(async () => expect(await busy.list()).toMatchObject([{ status: 'ACTIVE' }]));
    await busy.stop();
  });
});
