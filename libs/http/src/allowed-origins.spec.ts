import type { RpcClient } from '@classroom/messaging';
import { AllowedOrigins, hostOf, MAX_LOOKUPS } from './allowed-origins.js';

const OWN = 'https://classroom.example';
const SCHOOL = 'https://school.example';
const [ADDRESS, OTHER_ADDRESS] = ['203.0.113.7', '203.0.113.8'];

/** With an organization service that knows one school. */
function originsOf(answer = async (host: string) => `https://${host}` === SCHOOL) {
  const asked: string[] = [];
  const call = async (_: unknown, { host }: { host: string }) => {
    asked.push(host);
    return { isVerified: await answer(host) };
  };
  const origins = new AllowedOrigins({ CLASSROOM_URL: `${OWN}/r/` }, { call } as unknown as RpcClient);
  const lookUp = async (count: number) => {
    for (let index = 0; index < count; index++) await origins.includes(`https://x${index}.example`, ADDRESS);
  };
  return { asked, origins, lookUp };
}

describe('an origin', () => {
  it('of the page itself is allowed without a lookup', () => {
    const { asked, origins } = originsOf();
    expect([origins.knows(OWN), origins.includes(OWN, ADDRESS), asked]).toEqual([true, true, []]);
  });

  it('is looked up once, whether it is allowed or not', async () => {
    const { asked, origins } = originsOf();
    const other = 'https://other.example';
    expect(await Promise.all([SCHOOL, SCHOOL, other, other].map(async (origin) => origins.includes(origin, ADDRESS)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([origins.includes(SCHOOL, ADDRESS), origins.includes(other, ADDRESS)]).toEqual([true, false]);
    expect(asked).toEqual(['school.example', 'other.example']);
  });

  it('is not looked up if it cannot be a verified domain', () => {
    const { asked, origins } = originsOf();
    expect(['null', 'http://school.example'].map((origin) => origins.includes(origin, ADDRESS))).toEqual([false, false]);
    expect(asked).toEqual([]);
  });

  it('is known when it was allowed', async () => {
    const { origins } = originsOf();
    expect(origins.knows(SCHOOL)).toBe(false);
    await origins.includes(SCHOOL, ADDRESS);
    await origins.includes('https://other.example', ADDRESS);
    expect([SCHOOL, 'https://other.example'].map((origin) => origins.knows(origin))).toEqual([true, false]);
  });

  it('is looked up a limited number of times a minute for one address', async () => {
    const { asked, origins, lookUp } = originsOf();
    await lookUp(MAX_LOOKUPS + 50);
    expect(asked).toHaveLength(MAX_LOOKUPS);
    expect(await origins.includes(SCHOOL, ADDRESS)).toBe(false);
    expect(await origins.includes(SCHOOL, OTHER_ADDRESS)).toBe(true);
  });

  describe('later', () => {
    let pass: (ms: number) => void;
    beforeEach(() => {
      // The caches keep the clock that was there when they were loaded.
      jest.useFakeTimers({ doNotFake: ['performance'] });
      let now = performance.now();
      jest.spyOn(performance, 'now').mockImplementation(() => now);
      pass = (ms) => {
        now += ms;
        jest.advanceTimersByTime(ms);
      };
    });
    afterEach(() => {
      jest.restoreAllMocks();
      jest.useRealTimers();
    });

    it('that was allowed recently is looked up again, whatever other callers at its address do', async () => {
      const { asked, origins, lookUp } = originsOf();
      await origins.includes(SCHOOL, ADDRESS);
      await lookUp(MAX_LOOKUPS + 50);
      pass(31_000);
      asked.length = 0;
      expect(await origins.includes(SCHOOL, ADDRESS)).toBe(true);
      expect(asked).toEqual(['school.example']);
    });

    it('is not allowed for some seconds after its lookup failed', async () => {
      let isDown = true;
      const { asked, origins } = originsOf(async () => {
        if (isDown) throw new Error('no answer');
        return true;
      });
      expect(await origins.includes(SCHOOL, ADDRESS)).toBe(false);
      isDown = false;
      expect([origins.includes(SCHOOL, ADDRESS), asked]).toEqual([false, ['school.example']]);
      pass(5_001);
      expect(await origins.includes(SCHOOL, ADDRESS)).toBe(true);
    });

    it('is looked up again for an address when a minute has passed', async () => {
      const { asked, lookUp } = originsOf();
      await lookUp(MAX_LOOKUPS + 50);
      pass(60_001);
      await lookUp(MAX_LOOKUPS + 50);
      expect(asked).toHaveLength(2 * MAX_LOOKUPS);
    });
  });
});

describe('the host of an origin', () => {
  it.each([
    ['https://school.example', 'school.example'],
    ['https://school.example:8443', 'school.example:8443'],
    ['http://localhost:3000', 'localhost:3000'],
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
  ])('of %s is %s', (origin, host) => expect(hostOf(origin)).toBe(host));

  it.each([
    'http://school.example',
    'null',
    'https://school.example/',
    'https://a@school.example',
    'ftp://school.example',
    'https://SCHOOL.example',
    '',
  ])('is undefined for %s', (origin) => expect(hostOf(origin)).toBeUndefined());
});
