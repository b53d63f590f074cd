import { MediaFixture } from './support/media-fixture.js';

let fixture: MediaFixture;
beforeAll(async () => {
  fixture = await MediaFixture.start();
});
afterAll(() => fixture?.stop());

it('ends in order while NATS, Redis and the storage are unreachable, long before its grace period has passed', async () => {
  await fixture.startApp({ ROLES: 'service,worker', DRAIN_SECONDS: '7200' });
  for (const part of ['nats', 'redis', 's3']) await fixture.stack.part(part).kill();
  expect(await fixture.stopApp()).toBe(0);
});
