import type { OpenQuestion } from '@classroom/contracts';
import { FakeService, flushPromises } from '../class/fake-service.js';
import { OpenQuestions } from './open-questions.js';

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
  let questions: OpenQuestions;
  let isVisible: boolean;
  let notifyVisibility: () => void;
  const ids = () =>
    questions
      .get()
      .questions.map(({ questionId }) => questionId)
      .join('');
  const advance = async (seconds: number) => {
    jest.advanceTimersByTime(seconds * 1000);
    await flushPromises();
  };
  const answer = (...questions: string[]) => service.request(PATH).respond({ questions: questions.map(question) });

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    service = new FakeService();
    isVisible = true;
    const listeners = new Set<() => void>();
    questions = new OpenQuestions(service.api, {
      isVisible: () => isVisible,
      onVisibility: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    notifyVisibility = () => listeners.forEach((listener) => listener());
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('are requested once a minute, four times as often while they are shown, and not without a listener', async () => {
    const unsubscribe = questions.subscribeAndPoll(() => undefined);
    await advance(0);
    await answer('a', 'b');
    expect([ids(), service.pending.length]).toEqual(['ab', 0]);
    await advance(59);
    expect(service.pending).toHaveLength(0);
    await advance(1);
    await answer('b');
    const closeList = questions.openList();
    await answer('b', 'c');
    await advance(15);
    await answer('c');
    closeList();
    await advance(59);
    expect(service.pending).toHaveLength(0);
    unsubscribe();
    await advance(600);
    expect([ids(), service.pending.length]).toEqual(['c', 0]);
  });

  it('are not requested while the page is hidden, and immediately when an overdue page is shown again', async () => {
    questions.subscribeAndPoll(() => undefined);
    await advance(0);
    await answer();
    isVisible = false;
    notifyVisibility();
    await advance(300);
    expect(service.pending).toHaveLength(0);
    isVisible = true;
    notifyVisibility();
    await advance(0);
    expect(service.pending).toHaveLength(1);
  });

  it('are requested less and less often while requests fail', async () => {
    questions.subscribeAndPoll(() => undefined);
    const requestedAt: number[] = [];
    for (let second = 0; second < 3600; second += 10) {
      await advance(10);
      if (service.pending.length === 0) continue;
      requestedAt.push(second);
      await service.request(PATH).fail('SERVICE_UNAVAILABLE');
    }
    expect(questions.get()).toMatchObject({ isLoaded: false, failure: 'SERVICE_UNAVAILABLE' });
    expect(requestedAt.length).toBeLessThan(10);
    expect((requestedAt.at(-1) ?? 0) - (requestedAt.at(-2) ?? 0)).toBeGreaterThanOrEqual(590);
    void questions.refresh();
    await answer('a');
    await advance(60);
    expect(service.pending).toHaveLength(1);
  });

  it('are removed as soon as they are resolved, and an older answer does not restore them', async () => {
    questions.subscribeAndPoll(() => undefined);
    await advance(0);
    await answer('a', 'b');
    await advance(60);
    const [older] = service.pending;
    const resolved = questions.resolve('a');
    expect(ids()).toBe('b');
    await service.request(`${PATH}/a/resolve`).respond({ questions: [question('b')] });
    await resolved;
    await older?.respond({ questions: [question('a'), question('b')] });
    expect(ids()).toBe('b');
  });

  it('are restored if resolving fails, unless they no longer exist', async () => {
    questions.subscribeAndPoll(() => undefined);
    await advance(0);
    await answer('a', 'b');
    void questions.resolve('a');
    await service.request(`${PATH}/a/resolve`).fail('NO_ANSWER');
    expect([ids(), questions.get().resolveFailure]).toEqual(['ab', 'NO_ANSWER']);
    void questions.resolve('a');
    expect(questions.get().resolveFailure).toBeUndefined();
    await service.request(`${PATH}/a/resolve`).fail('QUESTION_NOT_FOUND');
    expect([ids(), questions.get().resolveFailure]).toEqual(['b', undefined]);
  });
});
