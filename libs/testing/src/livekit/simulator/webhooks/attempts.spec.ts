import { type Answer, deliver } from './attempts.js';

/** Runs against receivers that answer in turn; returns the outcome and the seconds at which each attempt was made. */
async function runAgainst(...answers: Answer[]) {
  let seconds = 0;
  const askedAt: number[] = [];
  const outcome = await deliver(
    async () => {
      askedAt.push(seconds);
      return answers[Math.min(askedAt.length, answers.length) - 1] ?? {};
    },
    async (ms) => void (seconds += ms / 1000),
  );
  return { askedAt, outcome };
}

describe('deliver', () => {
  it('tries at 0, 1, 3, 7 and 15 seconds and gives up', async () => {
    const { askedAt, outcome } = await runAgainst({ status: 500 });
    expect(askedAt).toEqual([0, 1, 3, 7, 15]);
    expect(outcome).toEqual({ attempts: 5, isDelivered: false, status: 500 });
  });

  it.each([[{}], [{ status: 503 }], [{ status: 429 }]])('retries on %j', async (answer) => {
    expect((await runAgainst(answer, { status: 200 })).askedAt).toEqual([0, 1]);
  });

  it.each([200, 204, 400, 401, 404, 410, 501])('does not retry after %i', async (status) => {
    const { outcome } = await runAgainst({ status });
    expect(outcome).toEqual({ attempts: 1, isDelivered: true, status });
  });

  it.each([429, 503])('obeys Retry-After on %i, however long', async (status) => {
    expect((await runAgainst({ status, retryAfterSeconds: 120 }, { status: 200 })).askedAt).toEqual([0, 120]);
  });

  it('does not obey Retry-After on other refusals', async () => {
    expect((await runAgainst({ status: 500, retryAfterSeconds: 120 }, { status: 200 })).askedAt).toEqual([0, 1]);
  });

  it('stops when the process that sends is gone', async () => {
    let isGone = false;
    const outcome = await deliver(
      async () => ({ status: 500 }),
      async () => void (isGone = true),
      () => isGone,
    );
    expect(outcome).toEqual({ attempts: 1, isDelivered: false, status: 500 });
  });
});
