import { Bucket, eventually, expectLedgerInvariants, present, RtcParticipant, TestStack, WebhookReceiver } from '@classroom/testing';
import { answerOf, completed, download, ExportScene, linesOf, request, subjectOf } from './export-scene.js';

const DAY_MS = 86_400_000;

/** Kills and stops processes of its own stack, and moves its clock. */
describe('an export', () => {
  let stack: TestStack;
  let receiver: WebhookReceiver;
  let scene: ExportScene;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await TestStack.start({ apps: ['organization', 'room', 'billing', 'ai', 'recording', 'media', 'gateway'] });
    scene = new ExportScene(stack, receiver);
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
    await receiver?.stop();
  });

  afterEach(() => expectLedgerInvariants(stack));

  const rowOf = async (exportId: string) => {
    const sql = 'SELECT attempt, completed_at, sha256, subject FROM organization.exports WHERE export_id = $1';
    return (
      await stack.rows<{ attempt: number; completed_at: Date | null; sha256: string | null; subject: object | null }>(sql, [exportId])
    )[0];
  };

  it('is made again after a kill in the middle or at the end, and no file is offered before', async () => {
    const school = await scene.newSchool();
    await scene.pastClass(school);
    const bucket = Bucket.of(stack);
    const organization = stack.app('organization');
    for (const failpoint of ['after-page', 'before-commit']) {
      const objects = new Set((await bucket.list('exports/')).keys());
      await organization.stop();
      organization.launch({ FAILPOINTS: `organization.export.${failpoint}=crash` });
      await organization.ready();
      const { exportId } = await request(school, subjectOf(school.pupil));
      expect((await organization.exited).signal).toBe('SIGKILL');
      const left = [...(await bucket.list('exports/')).keys()].filter((key) => !objects.has(key));
      expect(left.length).toBe(failpoint === 'before-commit' ? 1 : 0);
      expect(await rowOf(exportId)).toMatchObject({ attempt: 1, completed_at: null, sha256: null });
      await organization.start();
      expect((await download(school, exportId))['room/chat-messages.jsonl']).toContain(school.pupil.mark);
      const keys = [...(await bucket.list('exports/')).keys()].filter((key) => key.includes(exportId));
      expect(keys).toEqual([expect.stringMatching(/\/[2-9]\.zip$/)]);
    }
  });

  it('waits for a service that is down, and is one of five unfinished ones at most', async () => {
    const school = await scene.newSchool();
    const room = await scene.pastClass(school);
    await stack.app('billing').stop();
    const subjects = [school.pupil, school.friend, school.teacher].map(subjectOf);
    const requested = await Promise.all(
      [...subjects, { roomId: room.roomId }, { organization: true }].map((subject) => request(school, subject)),
    );
    await eventually(async () => {
      const answers = await Promise.all(requested.map(({ exportId }) => answerOf(school, exportId)));
      const running = answers.filter(({ waitingFor }) => !waitingFor.includes('ai'));
      expect(running.length).toBeGreaterThanOrEqual(2);
      for (const { status, waitingFor, downloadUrl } of running)
        expect([status, waitingFor[0], downloadUrl]).toEqual(['RUNNING', 'billing', null]);
    });
    const refused = await school.api.post('/v1/privacy/exports', { uid: 'another' });
    expect([refused.status, refused.body.error]).toEqual([429, 'TOO_MANY_EXPORTS']);
    await stack.app('billing').start();
    for (const { exportId } of requested) expect(linesOf((await download(school, exportId))['billing/sessions.jsonl'])).not.toEqual([]);
    expect((await school.api.post('/v1/privacy/exports', { uid: 'another' })).status).toBe(200);
  });

  it('is deleted when its subject is erased, and after seven days', async () => {
    const school = await scene.newSchool();
    await scene.pastClass(school);
    const bucket = Bucket.of(stack);
    const keysOf = async (exportId: string) => [...(await bucket.list('exports/')).keys()].filter((key) => key.includes(exportId));
    const [erased, kept] = [await request(school, subjectOf(school.pupil)), await request(school, subjectOf(school.friend))];
    const { downloadUrl } = await completed(school, erased.exportId);
    const { availableUntil, completedAt, urlExpiresAt } = await completed(school, kept.exportId);
    expect(Date.parse(present(availableUntil)) - Date.parse(present(completedAt))).toBe(7 * DAY_MS);
    expect(Date.parse(present(urlExpiresAt)) - Date.now()).toBeLessThanOrEqual(300_000);
    await school.api.post('/v1/privacy/erasures', subjectOf(school.pupil));
    await eventually(async () =>
      expect((await school.api.get(`/v1/privacy/exports/${erased.exportId}`)).body.error).toBe('EXPORT_EXPIRED'),
    );
    await eventually(async () => expect(await keysOf(erased.exportId)).toEqual([]));
    expect((await fetch(present(downloadUrl))).status).toBe(404);
    expect(await keysOf(kept.exportId)).toHaveLength(1);
    await stack.moveClock(7 * DAY_MS);
    const { status, body } = await school.api.get(`/v1/privacy/exports/${kept.exportId}`);
    expect([status, body.error]).toEqual([410, 'EXPORT_EXPIRED']);
    await eventually(async () => expect(await keysOf(kept.exportId)).toEqual([]));
    expect((await rowOf(kept.exportId))?.subject ?? null).toBeNull();
  });
});
