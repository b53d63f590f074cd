/// <reference types="jest" />
import { ApiError } from '@classroom/page/api-error';
import { Poller } from './poller.js';

/** Longer than any delay after a successful answer, in milliseconds. */
const ROUND_MS = 7_000;

function setup() {
  let requests = 0;
  const answers: number[] = [];
  const rejections: string[] = [];
  let answer: () => number = () => 1;
  let isVisible = true;
  let onVisibilityChange = () => undefined as void;
  const poller = new Poller({
    ask: async () => ((requests += 1), answer()),
    intervalMs: 5_000,
    onAnswer: (value) => answers.push(value),
    visibility: { isVisible: () => isVisible, onVisibility: (listener) => ((onVisibilityChange = listener), () => undefined) },
    onRejected: ({ code }) => rejections.push(code),
  });
  poller.start();
  return {
    poller,
    requests: () => requests,
    answers,
    rejections,
    respondWith: (next: typeof answer) => (answer = next),
    rejectWith: (code: ApiError['code']) =>
      (answer = () => {
        throw new ApiError(code);
      }),
    setVisible: (visible: boolean) => ((isVisible = visible), onVisibilityChange()),
    advance: (ms: number) => jest.advanceTimersByTimeAsync(ms),
  };
}

describe('the page of a participant who waits before the class', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each(['ROOM_ENDED', 'UNAUTHORIZED'] as const)('reports %s once, and stops asking', async (code) => {
    const { requests, rejections, rejectWith, advance } = setup();
    rejectWith(code);
    await advance(ROUND_MS);
    expect(rejections).toEqual([code]);
    await advance(10 * ROUND_MS);
    expect([requests(), rejections.length]).toEqual([1, 1]);
  });

  it('asks every five to seven seconds, and reports each answer', async () => {
    const { requests, answers, respondWith, advance } = setup();
    let count = 0;
    respondWith(() => (count += 1));
    await advance(4_999);
    expect(requests()).toBe(0);
    await advance(3 * ROUND_MS);
    expect(requests()).toBeGreaterThanOrEqual(3);
    expect(requests()).toBeLessThanOrEqual(5);
    expect(answers.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('asks less and less often while the service is unreachable, and does not report it as a rejection', async () => {
    const { requests, rejections, rejectWith, advance } = setup();
    rejectWith('NO_ANSWER');
    await advance(600_000);
    expect(rejections).toEqual([]);
    expect(requests()).toBeLessThan(16);
  });

  it('does not ask while it is hidden, nor after the participant left', async () => {
    const { poller, requests, setVisible, advance } = setup();
    setVisible(false);
    await advance(60_000);
    expect(requests()).toBe(0);
    setVisible(true);
    await advance(ROUND_MS);
    expect(requests()).toBe(1);
    poller.stop();
    await advance(60_000);
    expect(requests()).toBe(1);
  });
});
