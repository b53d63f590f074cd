import { eventually, newOrganization, newRoom, type NewOrganization } from '@classroom/testing';
import { VirtualClassroom } from '../../libs/sdk/src/index.js';
import { CLASS_APPS, startChaosStack, type ChaosStack } from '../chaos/support.js';

const ROOMS_PER_FAULT = 4;

describe('the events of an organization, streamed by the SDK', () => {
  let chaos: ChaosStack;
  let school: NewOrganization;
  const closing = new AbortController();

  beforeAll(async () => {
    chaos = await startChaosStack({ apps: CLASS_APPS });
    school = await newOrganization(chaos.stack);
  });
  afterAll(async () => {
    closing.abort();
    await chaos?.stop();
  });

  const client = () => new VirtualClassroom({ baseUrl: chaos.stack.urls.gateway, credential: school.value });

  /** Follows the stream until the file ends. */
  function follow(query: Parameters<VirtualClassroom['events']['stream']>[0]): string[] {
    const seen: string[] = [];
    const read = async () => {
      for await (const event of client().events.stream(query, { signal: closing.signal })) {
        seen.push(event.type === 'gap' ? 'gap' : `${event.sequence} ${event.id}`);
      }
    };
    read().catch((error: unknown) => {
      if (!closing.signal.aborted) seen.push(String(error));
    });
    return seen;
  }

  const createRooms = async () => {
    for (let n = 0; n < ROOMS_PER_FAULT; n++) await newRoom(school.api);
  };

  async function history(): Promise<string[]> {
    const all: string[] = [];
    for await (const { sequence, id } of client().events.list()) all.push(`${sequence} ${id}`);
    return all;
  }

  it('are complete, in order and each once, whichever process is killed meanwhile', async () => {
    const { stack } = chaos;
    await createRooms();
    await eventually(async () => expect(await history()).toHaveLength(ROOMS_PER_FAULT));
    const [fromNow, whole, resumed] = [follow({}), follow({ after: '0' }), follow({ after: '2' })];
    await eventually(() => expect([whole, resumed].map(({ length }) => length)).toEqual([ROOMS_PER_FAULT, ROOMS_PER_FAULT - 2]));
    const faults = [
      async () => {
        await stack.app('gateway').kill();
        await stack.app('gateway').start();
      },
      async () => {
        await stack.app('organization').kill();
        await stack.app('organization').start();
      },
      async () => {
        await stack.part('nats').kill();
        await stack.part('nats').start();
      },
    ];
    for (const fault of faults) {
      await createRooms();
      await fault();
      await eventually(createRooms, 30_000);
    }
    await eventually(async () => {
      const all = await history();
      expect(all.length).toBeGreaterThanOrEqual(ROOMS_PER_FAULT * (1 + 2 * faults.length));
      expect(all.map((event) => Number.parseInt(event))).toEqual(all.map((_, n) => n + 1));
      expect([whole, resumed]).toEqual([all, all.slice(2)]);
      expect(fromNow).toEqual(all.slice(-fromNow.length));
    });
    expect(fromNow.length).toBeGreaterThanOrEqual(ROOMS_PER_FAULT * 2 * faults.length);
  });
});
