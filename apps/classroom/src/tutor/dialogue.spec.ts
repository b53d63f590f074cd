import type { TutorTurn } from '@classroom/contracts';
import { FakeService, flushPromises } from '../class/fake-service.js';
import { ApiError } from '@classroom/page/api-error';
import { TutorDialogue, mergeExchanges, type Exchange } from './dialogue.js';

const turn = (questionId: string, question = `question ${questionId}`): TutorTurn => ({
  questionId,
  dialogIndex: 0,
  question,
  answer: `answer ${questionId}`,
  askedAt: '2026-09-01T08:00:00.000Z',
  isForTeacher: false,
});
const exchange = (key: string, more: Partial<Exchange> = {}): Exchange => ({
  key,
  questionId: undefined,
  question: `question ${key}`,
  isSpoken: false,
  answer: '',
  state: 'done',
  failure: undefined,
  isForTeacher: false,
  ...more,
});
const keys = (exchanges: readonly Exchange[]) => exchanges.map(({ key, questionId }) => `${key}:${questionId}`);

describe('the turns of the page and of the service', () => {
  it('are merged in the service’s order, without losing turns that only the page has', () => {
    const known = [
      exchange('1', { questionId: '1' }),
      exchange('a', { question: 'question 2', state: 'failed' }),
      exchange('b', { state: 'stopped' }),
    ];
    expect(keys(mergeExchanges(known, [turn('0'), turn('1'), turn('2')]))).toEqual(['0:0', '1:1', 'a:2', 'b:undefined']);
  });

  it('give a spoken question its text', () => {
    expect(mergeExchanges([exchange('a', { question: '', isSpoken: true, answer: 'x' })], [turn('1')])).toMatchObject([
      { key: 'a', questionId: '1', question: 'question 1', isSpoken: true, answer: 'answer 1' },
    ]);
  });

  it('keep an answer in progress, and one that arrived meanwhile', () => {
    const known = [
      exchange('1', { questionId: '1' }),
      exchange('2', { questionId: '2' }),
      exchange('a', { question: 'question 3', state: 'answering' }),
    ];
    expect(keys(mergeExchanges(known, [turn('1'), turn('3')]))).toEqual(['1:1', '3:3', '2:2', 'a:undefined']);
  });

  it('drop old turns that the service no longer returns', () => {
    expect(keys(mergeExchanges([exchange('1', { questionId: '1' }), exchange('2', { questionId: '2' })], [turn('2')]))).toEqual(['2:2']);
  });
});

describe('a dialogue with the tutor', () => {
  const dialogue = { turns: [], canSpeak: true, canListen: true, isOffline: false };
  const bytes = (data: object | string) => new TextEncoder().encode(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);

  function setup() {
    const service = new FakeService();
    const streams: {
      body: unknown;
      signal: AbortSignal;
      send(...data: (object | string)[]): Promise<void>;
      fail(code: 'AI_UNAVAILABLE'): Promise<void>;
    }[] = [];
    const played: string[] = [];
    const teachers: string[] = [];
    const tutor = new TutorDialogue({
      api: service.api,
      stream: (_path, body, signal) =>
        new Promise((resolve, reject) => {
          let controller: ReadableStreamDefaultController<Uint8Array>;
          const stream = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) });
          signal.addEventListener('abort', () => {
            reject(new ApiError('NO_ANSWER'));
            controller.error(signal.reason);
          });
          streams.push({
            body,
            signal,
            async send(...data) {
              resolve(stream);
              for (const one of data) controller.enqueue(bytes(one));
              for (let i = 0; i < 20; i += 1) await flushPromises();
            },
            async fail(code) {
              reject(new ApiError(code));
              await flushPromises();
            },
          });
        }),
      onTeacherAnswer: ({ name }) => teachers.push(name),
      audioPlayer: {
        resume: () => played.push('resume'),
        play: (wav) => played.push(new TextDecoder().decode(wav)),
        stop: () => played.push('stop'),
        release: () => undefined,
      },
    });
    const latest = () => tutor.get().exchanges.at(-1);
    return { service, streams, played, teachers, tutor, latest };
  }

  it('shows an answer as it arrives, and announces it once when it is complete', async () => {
    const { streams, tutor, latest } = setup();
    const asking = tutor.ask({ text: 'Why?' });
    expect(latest()).toMatchObject({ question: 'Why?', state: 'asking' });
    expect(streams[0]?.body).toEqual({ text: 'Why?', responseModality: 'text' });
    await streams[0]?.send({ questionId: 'q', text: 'Be', usage: null });
    expect(latest()).toMatchObject({ state: 'answering', answer: 'Be', questionId: 'q' });
    expect(tutor.get().announcement).toBeUndefined();
    await streams[0]?.send({ text: 'cause.', usage: null }, { usage: {} }, '[DONE]');
    await asking;
    expect(latest()).toMatchObject({ state: 'done', answer: 'Because.' });
    expect(tutor.get().announcement).toEqual({ sequence: 1, answer: 'Because.' });
  });

  it('forwards a question to the teacher, and looks for the answer until it is there, which it reports once', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
    try {
      const { service, tutor, teachers, latest } = setup();
      const answer = (...turns: TutorTurn[]) => service.request('/v1/classroom/tutor').respond({ ...dialogue, turns });
      void tutor.load();
      await answer(turn('1'));
      await jest.advanceTimersByTimeAsync(60_000);
      expect(service.pending).toHaveLength(0);
      const forwarded = tutor.askTeacher(latest() as Exchange);
      await service.request('/v1/classroom/tutor/questions/1/ask-teacher').respond({ questionId: '1' });
      await forwarded;
      expect(latest()?.isForTeacher).toBe(true);
      await jest.advanceTimersByTimeAsync(18_000);
      await answer({ ...turn('1'), isForTeacher: true });
      await jest.advanceTimersByTimeAsync(18_000);
      const teacherAnswer = { text: 'Because.', name: 'Ada', answeredAt: '2026-09-01T08:05:00.000Z' };
      await answer({ ...turn('1'), teacherAnswer });
      expect([latest()?.teacherAnswer, teachers]).toEqual([teacherAnswer, ['Ada']]);
      await jest.advanceTimersByTimeAsync(60_000);
      expect(service.pending).toHaveLength(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('requests the text of a spoken question', async () => {
    const { service, streams, tutor, latest } = setup();
    const asking = tutor.ask({ audio: 'UklG' });
    await streams[0]?.send({ text: 'Yes.' }, '[DONE]');
    await service.request('/v1/classroom/tutor').respond({ ...dialogue, turns: [turn('1')] });
    await asking;
    expect(latest()).toMatchObject({ key: 'asked-1', questionId: '1', question: 'question 1', isSpoken: true });
  });

  it('sends one question at a time, retries after a failure, and keeps no duplicates', async () => {
    const { streams, tutor, latest } = setup();
    const first = tutor.ask({ text: 'Why?' });
    await tutor.ask({ text: 'Too soon' });
    await streams[0]?.fail('AI_UNAVAILABLE');
    await first;
    expect(latest()).toMatchObject({ state: 'failed', failure: 'AI_UNAVAILABLE' });
    void tutor.retry('asked-1');
    expect(tutor.get().exchanges).toMatchObject([{ question: 'Why?', state: 'asking', failure: undefined }]);
    expect(streams).toHaveLength(2);
  });

  it('keeps the partial answer if it breaks off', async () => {
    const { service, streams, tutor, latest } = setup();
    void tutor.ask({ text: 'Why?' });
    await streams[0]?.send({ text: 'Be' }, { error: 'AI_UNAVAILABLE', message: '' }, '[DONE]');
    await service.request('/v1/classroom/tutor').fail('SERVICE_UNAVAILABLE');
    expect(latest()).toMatchObject({ state: 'failed', answer: 'Be', failure: 'AI_UNAVAILABLE' });
  });

  it('ends the request and the audio on stop, and accepts the next question', async () => {
    const { service, streams, played, tutor, latest } = setup();
    void tutor.load();
    await service.request('/v1/classroom/tutor').respond(dialogue);
    tutor.setReadsAloud(true);
    const asking = tutor.ask({ text: 'Why?' });
    expect(streams[0]?.body).toEqual({ text: 'Why?', responseModality: 'both' });
    await streams[0]?.send({ questionId: 'q', text: 'Be. ' }, { text: '', audio: btoa('one') }, { text: '', audio: btoa('two') });
    tutor.stop();
    await asking;
    expect(streams[0]?.signal.aborted).toBe(true);
    expect(latest()).toMatchObject({ state: 'stopped', answer: 'Be. ' });
    expect(played).toEqual(['resume', 'stop', 'resume', 'one', 'two', 'stop']);
    tutor.replay();
    expect(played.slice(-3)).toEqual(['stop', 'one', 'two']);
    void tutor.ask({ text: 'And?' });
    expect(streams).toHaveLength(2);
    expect(tutor.get().replayableKey).toBeUndefined();
  });

  it('times out if no answer arrives', async () => {
    jest.useFakeTimers();
    const { tutor, latest, streams } = setup();
    const asking = tutor.ask({ text: 'Why?' });
    jest.advanceTimersByTime(120_000);
    expect(streams[0]?.signal.aborted).toBe(true);
    await asking;
    expect(latest()).toMatchObject({ state: 'failed', failure: 'NO_ANSWER' });
    jest.useRealTimers();
  });

  it('loads once the service is reachable again, while the panel is open', async () => {
    jest.useFakeTimers();
    const { service, tutor } = setup();
    const close = tutor.open();
    await service.request('/v1/classroom/tutor').fail('SERVICE_UNAVAILABLE');
    expect(tutor.get()).toMatchObject({ isLoaded: false, failure: 'SERVICE_UNAVAILABLE' });
    jest.advanceTimersByTime(2_000);
    await service.request('/v1/classroom/tutor').fail('NO_ANSWER');
    jest.advanceTimersByTime(3_999);
    expect(service.pending).toEqual([]);
    jest.advanceTimersByTime(1);
    await service.request('/v1/classroom/tutor').respond({ ...dialogue, turns: [] });
    expect(tutor.get()).toMatchObject({ isLoaded: true, failure: undefined });
    jest.advanceTimersByTime(60_000);
    expect(service.pending).toEqual([]);

    close();
    const closeSecond = tutor.open();
    await service.request('/v1/classroom/tutor').fail('SERVICE_UNAVAILABLE');
    closeSecond();
    jest.advanceTimersByTime(60_000);
    expect(service.pending).toEqual([]);
    jest.useRealTimers();
  });

  it('shows why it cannot be loaded, and loads when it can', async () => {
    const { service, tutor } = setup();
    void tutor.load();
    await service.request('/v1/classroom/tutor').fail('NOT_FOUND');
    expect(tutor.get()).toMatchObject({ isLoaded: false, failure: 'NOT_FOUND' });
    void tutor.load();
    await service.request('/v1/classroom/tutor').respond({ ...dialogue, turns: [turn('1')] });
    expect(tutor.get()).toMatchObject({ isLoaded: true, failure: undefined, canListen: true, exchanges: [{ key: '1' }] });
  });
});
