import { enqueueDueJobs } from './jobs.js';

describe('jobs for a queue whose Redis does not answer', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const jobs = [{ jobId: 'one', data: {} }];

  it('are kept by their owner, and no more of them are handed over until it has answered', async () => {
    let answer: () => void = () => undefined;
    let handed = 0;
    const queue = {
      addBulk: () => {
        handed += 1;
        return new Promise<void>((resolve) => (answer = resolve));
      },
    };
    const first = enqueueDueJobs(queue, 'job', jobs);
    await jest.advanceTimersByTimeAsync(500);
    expect(await first).toBe(false);
    for (let second = 0; second < 60; second++) expect(await enqueueDueJobs(queue, 'job', jobs)).toBe(false);
    expect(handed).toBe(1);

    answer();
    await jest.advanceTimersByTimeAsync(0);
    const next = enqueueDueJobs(queue, 'job', jobs);
    answer();
    expect(await next).toBe(true);
    expect(handed).toBe(2);
  });

  it('are refused immediately if Redis refuses them, and may be handed over again', async () => {
    let handed = 0;
    const queue = { addBulk: () => Promise.reject(new Error(`refused ${(handed += 1)}`)) };
    expect(await enqueueDueJobs(queue, 'job', jobs)).toBe(false);
    expect(await enqueueDueJobs(queue, 'job', jobs)).toBe(false);
    expect(handed).toBe(2);
  });
});
