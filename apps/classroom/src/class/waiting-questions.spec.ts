import type { OpenQuestion } from '@classroom/contracts';
import { FakeService, settled } from './fake-class.js';
import { WaitingQuestions } from './waiting-questions.js';

const PATH = '/v1/classroom/tutor/questions';
const question = (questionId: string): OpenQuestion => ({
  questionId,
  studentUid: 'ada',
  question: 'Why?',
  askedAt: '2026-09-01T08:00:00.000Z',
  reason: 'asked',
  frequency: 1,
});

describe('questions that wait for a teacher', () => {
  let service: FakeService;
  let waiting: WaitingQuestions;
  let isVisible: boolean;
  let turn: () => void;
  const ids = () =>
    waiting
      .get()
      .questions.map(({ questionId }) => questionId)
      .join('');
  const pass = async (seconds: number) => {
    jest.advanceTimersByTime(seconds * 1000);
    await settled();
  };
  const answer = (...questions: string[]) => service.question(PATH).answer({ questions: questions.map(question) });

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    service = new FakeService();
    isVisible = true;
    const listeners = new Set<() => void>();
    waiting = new WaitingQuestions(service.api, {
      isVisible: () => isVisible,
      onVisibility: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    turn = () => listeners.forEach((listener) => listener());
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('are requested once a minute, four times as often while they are shown, and not without a listener', async () => {
    const leave = waiting.watch(() => undefined);
    await pass(0);
    await answer('a', 'b');
    expect([ids(), service.open.length]).toEqual(['ab', 0]);
    await pass(59);
    expect(service.open).toHaveLength(0);
    await pass(1);
    await answer('b');
    const close = waiting.open();
    await answer('b', 'c');
    await pass(15);
    await answer('c');
    close();
    await pass(59);
    expect(service.open).toHaveLength(0);
    leave();
    await pass(600);
    expect([ids(), service.open.length]).toEqual(['c', 0]);
  });

  it('are not requested while the page is hidden, and immediately when an overdue page is shown again', async () => {
    waiting.watch(() => undefined);
    await pass(0);
    await answer();
    isVisible = false;
    turn();
    await pass(300);
    expect(service.open).toHaveLength(0);
    isVisible = true;
    turn();
    await pass(0);
    expect(service.open).toHaveLength(1);
  });

  it('are requested less and less often while requests fail', async () => {
    waiting.watch(() => undefined);
    const asked: number[] = [];
    for (let second = 0; second < 3600; second += 10) {
      await pass(10);
      if (service.open.length === 0) continue;
      asked.push(second);
      await service.question(PATH).refuse('SERVICE_UNAVAILABLE');
    }
    expect(waiting.get()).toMatchObject({ isLoaded: false, failure: 'SERVICE_UNAVAILABLE' });
    expect(asked.length).toBeLessThan(10);
    expect((asked.at(-1) ?? 0) - (asked.at(-2) ?? 0)).toBeGreaterThanOrEqual(590);
    void waiting.ask();
    await answer('a');
    await pass(60);
    expect(service.open).toHaveLength(1);
  });

  it('are removed as soon as they are resolved, and an older answer does not restore them', async () => {
    waiting.watch(() => undefined);
    await pass(0);
    await answer('a', 'b');
    await pass(60);
    const [older] = service.open;
    const resolved = waiting.resolve('a');
    expect(ids()).toBe('b');
    await service.question(`${PATH}/a/resolve`).answer({ questions: [question('b')] });
    await resolved;
    await older?.answer({ questions: [question('a'), question('b')] });
    expect(ids()).toBe('b');
  });

  it('are restored if resolving fails, unless they no longer exist', async () => {
    waiting.watch(() => undefined);
    await pass(0);
    await answer('a', 'b');
    void waiting.resolve('a');
    await service.question(`${PATH}/a/resolve`).refuse('NO_ANSWER');
    expect([ids(), waiting.get().undone]).toEqual(['ab', 'NO_ANSWER']);
    void waiting.resolve('a');
    expect(waiting.get().undone).toBeUndefined();
    await service.question(`${PATH}/a/resolve`).refuse('QUESTION_NOT_FOUND');
    expect([ids(), waiting.get().undone]).toEqual(['b', undefined]);
  });
});
