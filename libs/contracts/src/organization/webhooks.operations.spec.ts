import { replayWebhooksBody } from './webhooks.operations.js';

describe('the range of a replay', () => {
  const range = (since: string, until: string) => replayWebhooksBody.safeParse({ since, until }).success;

  it('ends after its beginning, however both are written', () => {
    expect(range('2026-01-31T08:00:00Z', '2026-01-31T08:00:00.500Z')).toBe(true);
    expect(range('2026-01-31T09:00:00+01:00', '2026-01-31T08:00:01Z')).toBe(true);
    expect(range('2026-01-31T08:00:00.500Z', '2026-01-31T08:00:00Z')).toBe(false);
    expect(range('2026-01-31T08:00:00Z', '2026-01-31T09:00:00+01:00')).toBe(false);
  });
});
