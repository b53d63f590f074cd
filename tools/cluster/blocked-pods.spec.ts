import { blockedPods, unreadyPods, type ContainerStatus, type EventItem, type PodItem } from './blocked-pods.ts';

const pod = (name: string, status: PodItem['status'], deletionTimestamp?: string): PodItem => ({
  kind: 'Pod',
  metadata: { name, ...(deletionTimestamp && { deletionTimestamp }) },
  status,
});
const waits = (reason: string, restartCount = 0, message?: string): ContainerStatus => ({
  name: 'app',
  restartCount,
  state: { waiting: { reason, ...(message && { message }) } },
});
const event = (object: string, reason: string, count: number, more: Partial<EventItem> = {}): EventItem => {
  const [kind = '', name = ''] = object.split('/');
  const base: EventItem = { kind: 'Event', involvedObject: { kind, name }, reason, message: 'why', type: 'Warning', count };
  return { ...base, lastTimestamp: '2026-01-01T00:00:00Z', ...more };
};
const creating = (name = 'redis') => pod(name, { phase: 'Pending', containerStatuses: [waits('ContainerCreating')] });

describe('a pod that cannot start', () => {
  it('is one whose network plugin is missing', () => {
    const message = 'failed to find plugin "ptp" in path [/usr/lib/cni]';
    // Each attempt has an id in its text: Kubernetes does not count them together.
    const attempts = [0, 1, 2, 3, 4].map((second) =>
      event('Pod/redis', 'FailedCreatePodSandBox', 1, { message, lastTimestamp: `2026-01-01T00:00:0${second}Z` }),
    );
    expect(blockedPods([creating(), ...attempts])).toEqual([
      { kind: 'Pod', name: 'redis', why: `FailedCreatePodSandBox (5 times): ${message}` },
    ]);
    expect(blockedPods([creating(), ...attempts.slice(1)])).toEqual([]);
  });

  test.each(['ErrImagePull', 'ImagePullBackOff', 'CreateContainerConfigError', 'InvalidImageName'])(
    'is one that waits for %s',
    (reason) => {
      const status = { phase: 'Pending', containerStatuses: [waits(reason, 0, 'secret "livekit" not found')] };
      expect(blockedPods([pod('room', status)])).toEqual([
        { kind: 'Pod', name: 'room', why: `container app: ${reason}: secret "livekit" not found` },
      ]);
      expect(blockedPods([pod('room', { phase: 'Pending', initContainerStatuses: [waits(reason)] })])).toHaveLength(1);
    },
  );

  it('is one that has crashed three times, not one that has crashed once', () => {
    const crashed = (times: number) =>
      blockedPods([pod('ai', { phase: 'Running', containerStatuses: [waits('CrashLoopBackOff', times)] })]);
    expect(crashed(3)).toEqual([{ kind: 'Pod', name: 'ai', why: 'container app: CrashLoopBackOff' }]);
    expect(crashed(1)).toEqual([]);
  });

  it('may not exist yet: its ReplicaSet is refused', () => {
    const refused = event('ReplicaSet/room-1', 'FailedCreate', 12, { message: 'violates PodSecurity "restricted"' });
    expect(blockedPods([refused])).toEqual([
      { kind: 'ReplicaSet', name: 'room-1', why: 'FailedCreate (12 times): violates PodSecurity "restricted"' },
    ]);
    const later = event('ReplicaSet/room-1', 'SuccessfulCreate', 1, { type: 'Normal', lastTimestamp: '2026-01-01T00:01:00Z' });
    expect(blockedPods([refused, later])).toEqual([]);
  });

  test.each([
    ['is about to end', [pod('redis', creating().status, '2026-01-01T00:00:00Z'), event('Pod/redis', 'FailedCreatePodSandBox', 9)]],
    ['runs by now', [pod('redis', { phase: 'Running' }), event('Pod/redis', 'FailedMount', 9)]],
    ['is gone', [event('Pod/redis', 'FailedMount', 9)]],
    ['has only just been created', [creating()]],
    ['waits for a node', [creating(), event('Pod/redis', 'FailedScheduling', 9)]],
    ['has a probe that fails', [pod('redis', { phase: 'Running' }), event('Pod/redis', 'Unhealthy', 40)]],
    [
      'had a mount that worked later',
      [
        creating(),
        event('Pod/redis', 'FailedMount', 9),
        event('Pod/redis', 'Pulled', 1, { type: 'Normal', lastTimestamp: '2026-01-01T00:01:00Z' }),
      ],
    ],
  ])('is none that %s', (_, items) => expect(blockedPods(items)).toEqual([]));

  it('is counted by series of events, whose time has another name', () => {
    const series = {
      ...event('Pod/redis', 'FailedMount', 1),
      count: null,
      lastTimestamp: null,
      eventTime: '2026-01-01T00:00:00Z',
      series: { count: 7 },
    };
    expect(blockedPods([creating(), series])).toMatchObject([{ why: 'FailedMount (7 times): why' }]);
  });
});

test('pods that are not ready are named with their state and last warning', () => {
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const items = [
    pod('gateway', ready),
    pod('migrate', { phase: 'Succeeded' }),
    pod('room', { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }),
    creating(),
    event('Pod/room', 'Unhealthy', 3, { message: 'HTTP 503' }),
    event('Pod/room', 'Started', 1, { type: 'Normal', lastTimestamp: '2026-02-01T00:00:00Z' }),
  ];
  expect(unreadyPods(items)).toEqual([
    { kind: 'Pod', name: 'room', why: 'Running, Unhealthy: HTTP 503' },
    { kind: 'Pod', name: 'redis', why: 'Pending, ContainerCreating' },
  ]);
});
