/// <reference types="jest" />
import { ApiError } from '../session/api-error.js';
import { LobbyPoller } from './lobby-poller.js';

/** Longer than any delay after a successful answer, in milliseconds. */
const ROUND_MS = 7_000;

function setup() {
  const requestedVersions: number[] = [];
  const rejections: string[] = [];
  let answer: () => { version: number } = () => ({ version: 1 });
  let isVisible = true;
  let onVisibilityChange = () => undefined as void;
  const poller = new LobbyPoller({
    fetchState: async (after) => (requestedVersions.push(after), answer()),
    visibility: { isVisible: () => isVisible, onVisibility: (listener) => ((onVisibilityChange = listener), () => undefined) },
    onRejected: ({ code }) => rejections.push(code),
  });
  poller.start();
  return {
    poller,
    requestedVersions,
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

describe('the page of a participant who waits in the lobby', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each(['ROOM_ENDED', 'UNAUTHORIZED'] as const)('reports %s once, and stops polling', async (code) => {
    const { requestedVersions, rejections, rejectWith, advance } = setup();
    rejectWith(code);
    await advance(ROUND_MS);
    expect(rejections).toEqual([code]);
    await advance(10 * ROUND_MS);
    expect([requestedVersions.length, rejections.length]).toEqual([1, 1]);
  });

  it('polls every five to seven seconds, only for changes since the last answer', async () => {
    const { requestedVersions, respondWith, advance } = setup();
    let version = 0;
    respondWith(() => ({ version: (version += 10) }));
    await advance(4_999);
    expect(requestedVersions).toEqual([]);
    await advance(3 * ROUND_MS);
    expect(requestedVersions.length).toBeGreaterThanOrEqual(3);
    expect(requestedVersions.length).toBeLessThanOrEqual(5);
    expect(requestedVersions.slice(0, 3)).toEqual([0, 10, 20]);
  });

  it('polls less and less often while the service is unreachable, and does not report it as a rejection', async () => {
    const { requestedVersions, rejections, rejectWith, advance } = setup();
    rejectWith('NO_ANSWER');
    await advance(600_000);
    expect(rejections).toEqual([]);
    expect(requestedVersions.length).toBeLessThan(16);
  });

  it('does not poll while it is hidden, nor after the participant left the lobby', async () => {
    const { poller, requestedVersions, setVisible, advance } = setup();
    setVisible(false);
    await advance(60_000);
    expect(requestedVersions).toEqual([]);
    setVisible(true);
    await advance(ROUND_MS);
    expect(requestedVersions).toHaveLength(1);
    poller.stop();
    await advance(60_000);
    expect(requestedVersions).toHaveLength(1);
  });
});
