/// <reference types="jest" />
import { ConformanceFixture, type MakeSubject } from './conformance/fixture.js';
import { describeClass } from './conformance/class.js';
import { describeFaults } from './conformance/faults.js';
import { describeJoining } from './conformance/joining.js';
import { describePresence } from './conformance/presence.js';
import { describeRooms } from './conformance/rooms.js';
import { describeWebhooks } from './conformance/webhooks.js';
import { isLongForm } from '../forms.js';

export type { MakeSubject } from './conformance/fixture.js';
export { type ConformanceParticipant, JoinRefused, type LiveKitSubject } from './conformance/subject.js';

/**
 * What our services rely on in LiveKit 1.13.5 with Redis and psrpc lists. The simulated and the real LiveKit both pass, so a test
 * against the simulated one is also valid for the real one.
 */
export function describeLiveKitConformance(name: string, makeSubject: MakeSubject): void {
  describe(`LiveKit: ${name}`, () => {
    const fixture = new ConformanceFixture();

    beforeAll(async () => {
      await fixture.open(makeSubject);
      await faults?.begin();
    });
    afterAll(() => fixture.close());

    describeRooms(fixture);
    describeJoining(fixture);
    describePresence(fixture);
    describeClass(fixture);
    describeWebhooks(fixture);
    // LiveKit takes half a minute for them.
    const faults = isLongForm ? describeFaults(fixture) : undefined;
  });
}
