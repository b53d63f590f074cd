import {
  adminApi,
  type ApiClient,
  enterWithToken,
  eventually,
  expectLedgerInvariants,
  first,
  newOrganization,
  newRoom,
  RtcParticipant,
  TestStack,
} from '@classroom/testing';

/** Moves the clock of its own stack. */
describe('billing', () => {
  let stack: TestStack;

  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['organization', 'room', 'billing', 'gateway'] });
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
  });

  afterEach(() => expectLedgerInvariants(stack));

  const balanceOf = async (api: ApiClient) => (await api.get('/v1/billing/balance')).body.data;

  it('charges a postpaid organization by cycle, closes cycles automatically, and summarizes classes when that is due', async () => {
    const anchor = new Date(Date.now() - 6 * 86_400_000).toISOString();
    const billing = { type: 'POSTPAID', billingFrequency: 'WEEKLY', cycleStartDate: anchor, creditRate: 0.5, currency: 'EUR' };
    const { api, organizationId } = await newOrganization(stack, { billing });
    const { roomId, token } = await newRoom(api);
    const { rtc: teacher, inClass } = await enterWithToken(stack, api, token);
    await inClass.post('/v1/classroom/chat', { text: 'Hello' });
    // Presence counts whole seconds: a class that ends in the second in which it began costs nothing.
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/summary`)).body.data.totalCredits).toBe(1));
    await api.delete(`/v1/room/${roomId}`);
    await teacher.leave();
    await eventually(async () => {
      expect(await balanceOf(api)).toMatchObject({
        type: 'POSTPAID',
        status: 'CONSUMED',
        billingFrequency: 'WEEKLY',
        cycleStartDate: anchor,
        creditsThisCycle: 1,
        creditsConsumed: 1,
        estimatedCost: 0.5,
        classroomsThisCycle: 1,
      });
    });
    const summaries = async () => (await api.get('/v1/events?types=engagement.summarized')).body.data.events;
    expect(await summaries()).toEqual([]);
    await stack.moveClock(16 * 86_400_000);
    await eventually(async () => {
      const statements = (await adminApi(stack).get(`/v1/admin/organizations/${organizationId}/statements`)).body.data;
      expect(statements).toHaveLength(3);
      expect(statements.at(-1)).toMatchObject({ cycleStart: anchor, creditsConsumed: 1, amount: 0.5, classrooms: 1 });
      expect(statements[0]).toMatchObject({ creditsConsumed: 0, cycleEnd: expect.any(String) });
    });
    expect(await balanceOf(api)).toMatchObject({ creditsThisCycle: 0 });
    // The same clock makes the summary of the class due.
    await eventually(async () => expect(await summaries()).toHaveLength(1));
    const { tutorQuestions: _, ...counted } = first((await api.get(`/v1/room/${roomId}/engagement`)).body.data.participants);
    expect(counted).toMatchObject({ uid: 'teacher', connections: 1, chatMessages: 1 });
    const totals = { participants: 1, connections: 1, connectedSeconds: counted.connectedSeconds, chatMessages: 1 };
    expect(await summaries()).toMatchObject([{ data: { roomId, totals, participants: [counted], furtherParticipants: 0 } }]);
    await stack.moveClock(0);
  });
});
