import { z } from 'zod';
import { classroomCaller, defineRpc } from '@classroom/contracts';
import { currentOrganization, Loop } from '@classroom/platform';
import { Handles } from '../src/index.js';
import { RpcFixture } from './support/rpc-fixture.js';

const contract = <I extends z.ZodType>(verb: string, input: I) =>
  defineRpc({ service: 'room', rpc: `thing.${verb}`, input, output: z.object({ organizationId: z.string().nullable() }) });
const ofOrganization = contract('of-organization', z.object({ organizationId: z.string() }));
const ofParticipant = contract('of-participant', z.object({ caller: classroomCaller }));
const ofNone = contract('of-none', z.object({}));

class Handlers {
  readonly loop = new Loop('test', 60_000, async () => void this.inLoop.push(currentOrganization()));
  readonly inLoop: (string | undefined)[] = [];

  @Handles(ofOrganization)
  async organization() {
    this.loop.wake();
    return this.answer();
  }

  @Handles(ofParticipant)
  participant() {
    return this.answer();
  }

  @Handles(ofNone)
  none() {
    return this.answer();
  }

  private async answer() {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { organizationId: currentOrganization() ?? null };
  }
}

/** The work that a call causes is limited to the rows of its organization (libs/persistence). */
describe('a call', () => {
  const handlers = new Handlers();
  const caller = { sid: 'RM_1', uid: 'ann', organizationId: 'school-b', sessionNumber: 1, issuedAt: 0 };
  let fixture: RpcFixture;

  beforeAll(async () => {
    fixture = await RpcFixture.start(handlers);
  });
  afterAll(async () => {
    await handlers.loop.stop();
    await fixture?.stop();
  });

  it('is for its own organization, also next to others', async () => {
    const answers = await Promise.all([
      fixture.client.call(ofOrganization, { organizationId: 'school-a' }),
      fixture.client.call(ofParticipant, { caller }),
      fixture.client.call(ofNone, {}),
      fixture.client.call(ofOrganization, { organizationId: 'school-c' }),
    ]);
    expect(answers.map(({ organizationId }) => organizationId)).toEqual(['school-a', 'school-b', null, 'school-c']);
  });

  it('wakes loops, whose work is for all organizations', async () => {
    handlers.loop.start();
    await fixture.client.call(ofOrganization, { organizationId: 'school-a' });
    await fixture.client.call(ofOrganization, { organizationId: 'school-a' });
    expect(handlers.inLoop.length).toBeGreaterThan(1);
    expect(new Set(handlers.inLoop)).toEqual(new Set([undefined]));
  });
});
