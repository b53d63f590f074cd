import { ApiError, type Input } from '../session/session.js';
import { type SentElement, sizeOf, toSent, type SceneElement } from './elements.js';
import { Outgoing } from './outgoing.js';

type Answer = { version: number; refused: string[] };

const drawn = (id: string, version = 1, more: object = {}): SentElement => ({ id, version, versionNonce: version, ...more });
const idsOf = ({ elements }: Input<'drawOnBoard'>) => elements.map(({ id, version }) => `${id}${version}`).join();

describe('what a participant draws', () => {
  let calls: (Input<'drawOnBoard'> & { at: number })[];
  let answers: ((answer: Answer | Error) => void)[];
  let confirmed: string[];
  let refused: string[];
  let outgoing: Outgoing;
  let drawing: number;

  beforeEach(() => {
    jest.useFakeTimers();
    [calls, answers, confirmed, refused] = [[], [], [], []];
    drawing = 1;
    outgoing = new Outgoing({
      send: (input) => {
        calls.push({ ...input, at: performance.now() });
        return new Promise((resolve, reject) => answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer))));
      },
      onConfirmed: (_, elements) => confirmed.push(...elements.map(({ id, version }) => `${id}${version}`)),
      drawing: () => drawing,
      onRefused: (ids, error) => refused.push(...ids, ...(error ? [error.code] : [])),
    });
  });
  afterEach(() => jest.useRealTimers());

  const wait = (ms = 200) => jest.advanceTimersByTimeAsync(ms);
  const answer = async (one: Answer | Error = { version: 1, refused: [] }) => {
    answers.shift()?.(one);
    await wait(0);
  };

  it('is sent together, in its newest form, one call at a time', async () => {
    outgoing.add('p', [drawn('a')]);
    outgoing.add('p', [drawn('a', 2), drawn('b')]);
    await wait();
    outgoing.add('p', [drawn('a', 3)]);
    await wait(5_000);
    expect([calls.map(idsOf), outgoing.isPending('a')]).toEqual([['a2,b1'], true]);
    await answer();
    await wait();
    expect([calls.map(idsOf), confirmed]).toEqual([
      ['a2,b1', 'a3'],
      ['a2', 'b1'],
    ]);
    await answer();
    expect([confirmed, outgoing.isPending('a'), outgoing.pendingOf('p')]).toEqual([['a2', 'b1', 'a3'], false, []]);
  });

  it('takes fewer than 400 calls a minute, pointers included', async () => {
    let version = 0;
    let pointers = 0;
    for (let ms = 0; ms < 60_000; ms += 20) {
      version += 1;
      if (ms < 30_000) outgoing.add('p', [drawn('a', version)]);
      else if (outgoing.takeTurn()) pointers += 1;
      await wait(20);
      await answer();
    }
    expect(calls.length + pointers).toBeLessThan(400);
    expect(calls.length).toBeGreaterThan(150);
    expect(pointers).toBeGreaterThan(150);
  });

  it.each([10, 50, 300])('takes about as many calls of a class in which %i draw as of one in which ten do', async (people) => {
    drawing = people;
    for (let ms = 0; ms < 60_000; ms += 20) {
      outgoing.add('p', [drawn('a', ms + 1)]);
      await wait(20);
      await answer();
    }
    const callsPerSecond = (calls.length * people) / 60;
    expect(callsPerSecond).toBeGreaterThan(50);
    expect(callsPerSecond).toBeLessThan(70);
  });

  it('fits in the calls of the service', async () => {
    const large = { text: 'x'.repeat(30_000) };
    outgoing.add(
      'p',
      [...Array(60).keys()].map((at) => drawn(`a${at}-`)),
    );
    outgoing.add(
      'q',
      [...Array(5).keys()].map((at) => drawn(`b${at}-`, 1, large)),
    );
    for (let call = 0; call < 6; call += 1) {
      await wait(3_000);
      await answer();
    }
    expect(calls.map(({ pageId, elements }) => [pageId, elements.length])).toEqual([
      ['p', 50],
      ['p', 10],
      ['q', 4],
      ['q', 1],
    ]);
  });

  it('is repeated after a failure, with growing pauses, in the newest form', async () => {
    outgoing.add('p', [drawn('a'), drawn('b')]);
    await wait();
    outgoing.add('p', [drawn('a', 2)]);
    for (let failure = 0; failure < 3; failure += 1) {
      await answer(new ApiError(failure === 1 ? 'UNAUTHORIZED' : 'NO_ANSWER'));
      await wait(600 * 2 ** failure);
    }
    expect(calls.map(idsOf)).toEqual(['a1,b1', 'a2,b1', 'a2,b1', 'a2,b1']);
    const pauses = calls.slice(1).map(({ at }, call) => at - calls[call]!.at);
    expect(pauses[2]).toBeGreaterThan(pauses[1]! * 1.5);
    await answer();
    expect([confirmed, refused]).toEqual([['a2', 'b1'], []]);
  });

  it('that the service refuses is forgotten, in its newer form too', async () => {
    outgoing.add('p', [drawn('a'), drawn('b')]);
    await wait();
    outgoing.add('p', [drawn('a', 2)]);
    await answer({ version: 3, refused: ['a'] });
    await wait();
    expect([calls.length, confirmed, refused, outgoing.isPending('a')]).toEqual([1, ['b1'], ['a'], false]);
  });

  it('is given up when the participant may not draw, or the board is full', async () => {
    outgoing.add('p', [drawn('a')]);
    await wait();
    await answer(new ApiError('FORBIDDEN'));
    await wait(60_000);
    expect([calls.length, refused]).toEqual([1, ['a', 'FORBIDDEN']]);
  });

  it('is sent one by one after a fault, so that only the faulty is lost', async () => {
    outgoing.add('p', [drawn('a'), drawn('bad'), drawn('c')]);
    for (let call = 0; call < 12; call += 1) {
      await wait(1_000);
      const last = calls.at(-1);
      await answer(last?.elements.some(({ id }) => id === 'bad') ? new ApiError('VALIDATION_FAILED') : { version: 2, refused: [] });
    }
    expect([confirmed.sort(), refused]).toEqual([
      ['a1', 'c1'],
      ['bad', 'VALIDATION_FAILED'],
    ]);
  });

  it('is forgotten at the end of the stay, with the answer that is on its way', async () => {
    outgoing.add('p', [drawn('a')]);
    await wait();
    outgoing.add('p', [drawn('b')]);
    outgoing.stop();
    await answer();
    await wait(60_000);
    expect([calls.length, confirmed, outgoing.isPending('a'), outgoing.isPending('b')]).toEqual([1, [], false, false]);
  });
});

describe('an element as it is sent', () => {
  const stroke = (points: number): SceneElement & { points: number[][] } => ({
    id: 'a',
    type: 'freedraw',
    version: 3,
    versionNonce: 4,
    isDeleted: false,
    points: Array.from({ length: points }, (_, at) => [at + 1 / 3, Math.PI * at]),
  });

  it('has the precision that is seen, and no link', () => {
    expect(toSent({ ...stroke(2), link: 'https://example.com' } as SceneElement)).toMatchObject({
      points: [
        [0.33, 0],
        [1.33, 3.14],
      ],
      link: null,
    });
  });

  it('is small enough, however long the stroke, which keeps its ends', () => {
    const { points } = toSent(stroke(20_000)) as unknown as { points: number[][] };
    expect([points[0], points.at(-1)]).toEqual([
      [0.33, 0],
      [19_999.33, 62_828.71],
    ]);
    expect(sizeOf(toSent(stroke(20_000)))).toBeLessThanOrEqual(32 * 1024);
  });

  it('is only a mark if it was deleted', () =>
    expect(toSent({ ...stroke(5), isDeleted: true })).toEqual({ id: 'a', version: 3, versionNonce: 4, isDeleted: true }));
});
