import { createClassStore } from './class-store.js';
import { at, FakeService, user, START } from './fake-service.js';

const removal = (uid: string, seconds: number) => ({ ...user(uid), role: 'STUDENT', removedAt: at(seconds) });

describe('an announcement', () => {
  beforeEach(() => jest.useFakeTimers({ now: START }));
  afterEach(() => jest.useRealTimers());

  function setup() {
    const service = new FakeService();
    const store = createClassStore({ api: service.api, now: () => Date.now(), seesAll: () => false });
    const reported: string[] = [];
    store.onRemoval(({ uid }) => reported.push(uid));
    store.onRecording((kind, { egressId, status }) => reported.push(`${kind} ${egressId} ${status}`));
    store.start();
    return { service, store, reported };
  }

  it('reports each removal once, also the next one of the same person', async () => {
    const { service, store, reported } = setup();
    await service.respondState({ version: 5 });
    store.receive({ base: 5, version: 6, removals: [removal('ada', 1)] });
    store.receive({ base: 5, version: 7, removals: [removal('ada', 1), removal('bob', 2)] });
    store.receive({ base: 7, version: 8, removals: [removal('ada', 9)] });
    expect(reported).toEqual(['ada', 'bob', 'ada']);
  });

  it('leaves out removals before the first answer', async () => {
    const { service, store, reported } = setup();
    store.receive({ base: 0, version: 1, removals: [removal('ada', 1)] });
    await service.respondState({ version: 1 });
    expect(reported).toEqual([]);
  });

  it('reports a recording once when it starts, and once when it stops', async () => {
    const { service, store, reported } = setup();
    await service.respondState({ version: 5, recording: null });
    store.receive({ base: 5, version: 6, recording: { egressId: 'EG_1', status: 'STARTING' } });
    expect(reported).toEqual([]);
    store.receive({ base: 6, version: 7, recording: { egressId: 'EG_1', status: 'ACTIVE' } });
    store.receive({ base: 6, version: 8, recording: { egressId: 'EG_1', status: 'ACTIVE' } });
    store.receive({ base: 8, version: 9, recording: { egressId: 'EG_1', status: 'ENDING' } });
    store.receive({ base: 9, version: 10, recording: null });
    expect(reported).toEqual(['started EG_1 ACTIVE', 'stopped EG_1 ENDING']);
  });

  it('reports a recording that ran before we joined, and its end even if its last status was missed', async () => {
    const { service, store, reported } = setup();
    await service.respondState({ version: 5, recording: { egressId: 'EG_1', status: 'EGRESS_ACTIVE' } });
    store.receive({ base: 5, version: 6, recording: null });
    expect(reported).toEqual(['started EG_1 EGRESS_ACTIVE', 'stopped EG_1 EGRESS_ENDING']);
  });

  it('reports the end of one recording and the start of the next from one update', async () => {
    const { service, store, reported } = setup();
    await service.respondState({ version: 5, recording: { egressId: 'EG_1', status: 'ACTIVE' } });
    store.receive({ base: 5, version: 9, recording: { egressId: 'EG_2', status: 'ACTIVE' } });
    expect(reported).toEqual(['started EG_1 ACTIVE', 'stopped EG_1 ENDING', 'started EG_2 ACTIVE']);
  });

  it('leaves out a recording that never ran', async () => {
    const { service, store, reported } = setup();
    await service.respondState({ version: 5, recording: { egressId: 'EG_1', status: 'STARTING' } });
    store.receive({ base: 5, version: 6, recording: null });
    expect(reported).toEqual([]);
  });
});
