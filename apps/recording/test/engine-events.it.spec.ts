import type { EgressMessage } from '@classroom/testing';
import { byForm, eventually, inLongForm } from '@classroom/testing';
import { ENGINES, RecordingFixture, SECOND } from './support/recording-fixture.js';
import type { RecordedClass } from './support/recorded-class.js';

const nanoseconds = (at: Date | null) => String(BigInt(at?.getTime() ?? 0) * 1_000_000n);

let fixture: RecordingFixture;
beforeAll(async () => {
  fixture = await RecordingFixture.start();
});
afterEach(() => fixture.reset());
afterAll(() => fixture?.stop());

/** A class whose capture is complete, while none of its events has been delivered. */
async function captured(): Promise<RecordedClass> {
  const room = fixture.newClass();
  fixture.engine.behave({ isMute: true });
  await room.started();
  await eventually(() => expect(room.capture().status).toBe('EGRESS_ACTIVE'));
  room.capture().roomClosed();
  await eventually(() => expect(room.capture().status).toBe('EGRESS_COMPLETE'));
  return room;
}
/** An event as it was before the capture ended. */
const early = (status: EgressMessage['status']): Partial<EgressMessage> => ({ status, fileResults: [], endedAt: '0' });

describe.each(byForm({ short: ENGINES.slice(0, 1), long: ENGINES }))('the events of the engine %s', (kind) => {
  beforeAll(() => fixture.use(kind));

  it('complete a recording once, however often and in whatever order they arrive', async () => {
    const room = await captured();
    const capture = room.capture();
    for (let twice = 0; twice < 2; twice++) {
      await fixture.report(capture, 'egress_ended');
      await fixture.report(capture, 'egress_updated', early('EGRESS_ENDING'));
      await fixture.report(capture, 'egress_updated', early('EGRESS_ACTIVE'));
      await fixture.report(capture, 'egress_started', early('EGRESS_STARTING'));
    }
    const [done] = await room.reaches('COMPLETED');
    await fixture.report(capture, 'egress_ended', { status: 'EGRESS_FAILED', fileResults: [], error: 'late' });
    await fixture.report(capture, 'egress_ended');
    // The events of one capture are handled in order: after these, the ones before are handled.
    await fixture.reset();
    const row = await room.row();
    expect(row).toMatchObject({
      status: 'COMPLETED',
      reason: null,
      duration: 7,
      size: capture.film.length,
      finalizeAt: null,
      lookAt: null,
    });
    expect(done).toMatchObject({ duration: 7, endedAt: row.endedAt?.toISOString(), startedAt: row.activeAt?.toISOString() });
    await fixture.drained();
    const facts = room.facts();
    expect(facts.filter(({ what }) => what === 'completed')).toHaveLength(1);
    expect(facts.map(({ data }) => data.version)).toEqual(facts.map((_, index) => index + 1));
    expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length);
    expect(facts.at(-1)).toMatchObject({
      what: 'completed',
      data: { status: 'COMPLETED', duration: 7, reason: null, version: row.version },
    });
  });

  it('set the times that the file states, in milliseconds', async () => {
    const room = await captured();
    const [startedAt, endedAt] = [new Date(Date.now() - 65_250), new Date(Date.now() - 5_125)];
    const message = room.capture().toMessage();
    const files = message.fileResults.map((file) => ({ ...file, startedAt: nanoseconds(startedAt), endedAt: nanoseconds(endedAt) }));
    await fixture.report(room.capture(), 'egress_ended', { fileResults: files });
    await room.reaches('COMPLETED');
    expect(await room.row()).toMatchObject({ activeAt: startedAt, endedAt });
  });

  it('that arrive after an abort change nothing, and the room can be recorded again', async () => {
    const room = fixture.newClass();
    fixture.engine.behave({ activeAfterMs: null });
    await room.started();
    const [aborted] = room.captures();
    await room.stop();
    await room.reaches('ABORTED');
    const before = await room.row();
    if (!aborted) throw new Error('nothing was captured');
    await fixture.report(aborted, 'egress_updated', { status: 'EGRESS_ACTIVE' });
    await fixture.report(aborted, 'egress_started', { status: 'EGRESS_STARTING' });
    fixture.engine.resetBehaviour();
    await room.recorded();
    expect((await room.rows())[0]).toEqual(before);
  });

  it.each([
    ['EGRESS_FAILED', 'EGRESS_COMPLETE'],
    ['EGRESS_COMPLETE', 'EGRESS_FAILED'],
  ] as const)('complete a recording that has a file although it also failed: %s, %s', async (...order) => {
    const room = await captured();
    for (const status of order) {
      await fixture.report(room.capture(), 'egress_ended', status === 'EGRESS_FAILED' ? { status, fileResults: [] } : {});
    }
    await room.reaches('COMPLETED');
  });

  it('fail a recording with the reason that the engine states, or one of ours', async () => {
    for (const [error, reason] of [
      ['Could not upload the file', 'Could not upload the file'],
      ['', 'The recorder failed without saying why'],
    ] as const) {
      const room = fixture.newClass();
      await room.filming();
      room.capture().fail(error);
      await room.reaches('FAILED');
      const row = await room.row();
      expect(row).toMatchObject({ reason, lookAt: null, finalizeAt: null, objectKey: null, deleteAt: null, endedAt: expect.any(Date) });
      await fixture.drained();
      expect(room.facts().at(-1)).toMatchObject({ what: 'failed', data: { status: 'FAILED', reason, duration: null } });
    }
  });

  it('count what ended, and whether it was cut', async () => {
    const count = async (status: string, cut: boolean) =>
      (await fixture.metric('classroom_recording_ended_total', `status="${status}"`, `cut="${cut}"`)) ?? 0;
    const counts = () => Promise.all([count('COMPLETED', false), count('COMPLETED', true), count('FAILED', false)]);
    const [whole, cut, failed] = await counts();
    await fixture.newClass().recorded();
    const limited = fixture.newClass();
    await limited.filming();
    limited.capture().reachLimit();
    const found = { reason: 'Session limit reached', health: 'LIMIT_REACHED' };
    expect(await limited.reaches('COMPLETED')).toMatchObject([found]);
    limited.finish();
    expect((await limited.download()).files).toMatchObject([found]);
    expect(await limited.row()).toMatchObject({ reason: 'Session limit reached', duration: 7 });
    fixture.engine.behave({ failsUpload: true });
    const broken = fixture.newClass();
    await broken.filming();
    await broken.stop();
    await broken.reaches('FAILED');
    await eventually(async () => expect(await counts()).toEqual([whole + 1, cut + 1, failed + 1]));
  });

  // The short form kills the service with our own recorder in watchdog.it.spec.ts.
  const inOneForm = kind === 'egress' ? it : inLongForm(it);
  inOneForm('name a recording whose start was never answered', async () => {
    const room = fixture.newClass();
    fixture.engine.behave({ isMute: true });
    await fixture.crashAt('start.after-engine', () => room.start());
    await eventually(() => expect(room.capture().status).toBe('EGRESS_ACTIVE'));
    const { egressId } = room.capture().order;
    expect(await room.row()).toMatchObject({ status: 'REQUESTED', egressId: null });
    expect(await room.row()).toHaveProperty('engineIds', kind === 'embedded' ? [egressId] : []);
    await fixture.start();
    const since = Date.now();
    await fixture.report(room.capture(), 'egress_updated');
    const { lookAt } = await room.rowHas({ status: 'ACTIVE', egressId, engineIds: [egressId] });
    expect(lookAt?.getTime()).toBeGreaterThanOrEqual(since + 30 * SECOND);
    expect(lookAt?.getTime()).toBeLessThanOrEqual(Date.now() + 30 * SECOND);
    expect((await room.stop(egressId)).egressId).toBe(egressId);
    await eventually(() => expect(room.capture().status).toBe('EGRESS_COMPLETE'));
    await fixture.report(room.capture(), 'egress_ended');
    await room.reaches('COMPLETED');
  });

  it('of a capture that no recording wants make the service stop it', async () => {
    const room = fixture.newClass();
    await room.filming();
    const capture = room.capture();
    const bringBack = await room.lose();
    await fixture.report(capture, 'egress_updated');
    await eventually(() => expect(capture.stops).toBeGreaterThan(0));
    await eventually(() => expect(capture.status).toBe('EGRESS_COMPLETE'));
    await fixture.engine.settled();
    expect(await room.rows()).toEqual([]);
    await bringBack();
    await room.age(0);
    // Its end was delivered while there was no row; the engine no longer knows it or still lists it.
    await fixture.report(capture, 'egress_ended');
    await room.reaches('COMPLETED');
  });

  it('of a failed recording that still runs make the service stop it, and its file is kept', async () => {
    const room = fixture.newClass();
    await room.filming();
    const capture = room.capture();
    await fixture.report(capture, 'egress_ended', { status: 'EGRESS_FAILED', error: 'connection lost' });
    await room.reaches('FAILED');
    await fixture.report(capture, 'egress_updated');
    await eventually(() => expect(capture.stops).toBeGreaterThan(0));
    await room.reaches('COMPLETED');
    expect((await room.row()).duration).toBe(7);
  });
});

describe('an event', () => {
  it('that is about another bucket’s file or no known room changes no row', async () => {
    const room = fixture.newClass();
    await room.filming();
    const before = await room.row();
    const unknown = { egressId: 'EG_unknown12345', fileResults: [], status: 'EGRESS_COMPLETE' as const };
    for (const filepath of [
      'elsewhere/a/b/c/1.mp4',
      'recordings/x',
      'recordings/2026/11/algebra.mp4',
      `recordings/a/${room.sid}/${before.key}`,
    ]) {
      const roomComposite = { roomName: room.sid, layout: 'grid', fileOutputs: [{ filepath }] };
      await fixture.report(room.capture(), 'egress_ended', { ...unknown, roomComposite });
    }
    await fixture.reset();
    expect(await room.row()).toEqual(before);
    await room.stop();
  });
});
