/// <reference types="jest" />
import { Refusal } from '../session/refusal.js';
import { LobbyWatch } from './lobby-watch.js';

/** Longer than any delay after a successful answer, in milliseconds. */
const ROUND_MS = 7_000;

function waiting() {
  const asked: number[] = [];
  const refused: string[] = [];
  let answer: () => { version: number } = () => ({ version: 1 });
  let isVisible = true;
  let seen = () => undefined as void;
  const watch = new LobbyWatch({
    ask: async (after) => (asked.push(after), answer()),
    visibility: { isVisible: () => isVisible, onVisibility: (listener) => ((seen = listener), () => undefined) },
    refused: ({ code }) => refused.push(code),
  });
  watch.start();
  return {
    watch,
    asked,
    refused,
    answers: (next: typeof answer) => (answer = next),
    refuses: (code: Refusal['code']) =>
      (answer = () => {
        throw new Refusal(code);
      }),
    show: (visible: boolean) => ((isVisible = visible), seen()),
    passes: (ms: number) => jest.advanceTimersByTimeAsync(ms),
  };
}

describe('the page of a participant who waits in the lobby', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each(['ROOM_ENDED', 'UNAUTHORIZED'] as const)('reports %s once, and stops asking', async (code) => {
    const { asked, refused, refuses, passes } = waiting();
    refuses(code);
    await passes(ROUND_MS);
    expect(refused).toEqual([code]);
    await passes(10 * ROUND_MS);
    expect([asked.length, refused.length]).toEqual([1, 1]);
  });

  it('asks every five to seven seconds, only for changes since the last answer', async () => {
    const { asked, answers, passes } = waiting();
    let version = 0;
    answers(() => ({ version: (version += 10) }));
    await passes(4_999);
    expect(asked).toEqual([]);
    await passes(3 * ROUND_MS);
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(asked.length).toBeLessThanOrEqual(5);
    expect(asked.slice(0, 3)).toEqual([0, 10, 20]);
  });

  it('asks less and less often while the service is unreachable, and does not report it as a refusal', async () => {
    const { asked, refused, refuses, passes } = waiting();
    refuses('NO_ANSWER');
    await passes(600_000);
    expect(refused).toEqual([]);
    expect(asked.length).toBeLessThan(16);
  });

  it('does not ask while it is hidden, nor after the participant left the lobby', async () => {
    const { watch, asked, show, passes } = waiting();
    show(false);
    await passes(60_000);
    expect(asked).toEqual([]);
    show(true);
    await passes(ROUND_MS);
    expect(asked).toHaveLength(1);
    watch.stop();
    await passes(60_000);
    expect(asked).toHaveLength(1);
  });
});
