import { RoomFixture } from './room-fixture.js';

let running: Promise<RoomFixture> | undefined;

/** The service that all suites of a test file use, started on the first call. */
export function sharedFixture(): Promise<RoomFixture> {
  return (running ??= RoomFixture.start());
}

/** For a test file of suites that leave the service as it was: its start costs more than most of their tests. */
export function stopSharedFixture(): void {
  afterEach(async () => (await running)?.livekit.clearFaults());
  afterAll(async () => (await running)?.stop());
}
