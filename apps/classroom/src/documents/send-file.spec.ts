import { Refused, type Requests, sendFile } from './send-file.js';

describe('a file that is uploaded', () => {
  const file = new Blob(['x'.repeat(1_000)]);
  /** What the service has. */
  let stored: number;
  /** What happens to the next requests; after these, all arrive. */
  let faults: ('lost' | 'cut' | number)[];
  let calls: string[];
  let told: (number | string)[];
  let network: EventTarget;
  let stop: AbortController;

  const requests: Requests = {
    async head() {
      calls.push('HEAD');
      const fault = faults.shift();
      if (fault !== undefined) throw typeof fault === 'number' ? new Refused(fault) : new Refused(0);
      return stored;
    },
    async patch(_, offset, bytes, onSent) {
      calls.push(`PATCH ${offset}`);
      const fault = faults.shift();
      if (typeof fault === 'number') throw new Refused(fault);
      if (fault === 'lost') throw new TypeError('Failed to fetch');
      if (fault === 'cut') {
        onSent(600);
        stored = offset + 400;
        throw new Refused(0);
      }
      onSent(bytes.size);
      stored = offset + bytes.size;
      return stored;
    },
  };
  const send = () =>
    sendFile('https://media.example/uploads/1', file, {
      signal: stop.signal,
      onSent: (bytes) => told.push(bytes),
      onWaiting: (isWaiting) => isWaiting && told.push('waiting'),
      requests,
      network,
    });

  beforeEach(() => {
    jest.useFakeTimers();
    [stored, faults, calls, told, network, stop] = [0, [], [], [], new EventTarget(), new AbortController()];
  });
  afterEach(() => jest.useRealTimers());

  it('arrives with one request', async () => {
    await send();
    expect([calls, told.at(-1)]).toEqual([['PATCH 0'], 1_000]);
  });

  it('continues where the service has it after a lost connection', async () => {
    faults = ['cut', 'lost'];
    const sent = send();
    await jest.advanceTimersByTimeAsync(10_000);
    await sent;
    expect(calls).toEqual(['PATCH 0', 'HEAD', 'HEAD', 'PATCH 400']);
    expect(told).toEqual([0, 600, 'waiting', 'waiting', 400, 1_000, 1_000]);
  });

  it('continues at once when the network is back', async () => {
    faults = ['lost', 'lost', 'lost', 'lost'];
    const sent = send();
    await jest.advanceTimersByTimeAsync(7_500);
    expect(calls).toEqual(['PATCH 0', 'HEAD', 'HEAD', 'HEAD']);
    network.dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(0);
    await sent;
    expect(calls).toEqual(['PATCH 0', 'HEAD', 'HEAD', 'HEAD', 'HEAD', 'PATCH 0']);
  });

  it.each([409, 423, 503])('is tried again after the status %s', async (status) => {
    faults = [status];
    const sent = send();
    await jest.advanceTimersByTimeAsync(1_000);
    await sent;
    expect(calls).toEqual(['PATCH 0', 'HEAD', 'PATCH 0']);
  });

  it.each([404, 410, 413, 507])('ends with the status %s', async (status) => {
    faults = [status];
    await expect(send()).rejects.toEqual(expect.objectContaining({ status }));
  });

  it('ends when it is cancelled, also while it waits', async () => {
    faults = ['lost'];
    const sent = send().catch((error: Error) => error.name);
    await jest.advanceTimersByTimeAsync(500);
    stop.abort();
    expect(await sent).toBe('AbortError');
    expect(calls).toEqual(['PATCH 0']);
  });
});
