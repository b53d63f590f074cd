interface Waiting {
  reason?: string;
  message?: string;
}

export interface ContainerStatus {
  name: string;
  restartCount: number;
  state?: { waiting?: Waiting };
}

export interface PodItem {
  kind: 'Pod';
  metadata: { name: string; deletionTimestamp?: string };
  status: {
    phase?: string;
    conditions?: { type: string; status: string }[];
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
  };
}

export interface EventItem {
  kind: 'Event';
  involvedObject: { kind: string; name: string };
  reason: string;
  message: string;
  type: string;
  count?: number | null;
  series?: { count: number } | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
}

/** An object that cannot start, with the reason that Kubernetes gives. */
export interface Blocked {
  kind: string;
  name: string;
  why: string;
}

/** Reasons of a waiting container that only a change of the manifest, a Secret or an image ends: no image is pulled here. */
const FINAL = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
]);
/** A container that has ended so often does so again. */
const CRASHES = 3;
/** Events that come again until their cause is removed. Some come once or twice on a busy node. */
const REPEATING = new Set(['FailedCreatePodSandBox', 'FailedMount', 'FailedAttachVolume', 'FailedCreate']);
const REPEATED = 5;

const timeOf = ({ lastTimestamp, eventTime }: EventItem) => Date.parse(lastTimestamp ?? eventTime ?? '') || 0;
const countOf = ({ count, series }: EventItem) => series?.count ?? count ?? 1;

/** @returns why a container of the pod will not start, if it will not */
function ofContainers({ status }: PodItem): string | undefined {
  for (const { name, restartCount, state } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const { reason = '', message = '' } = state?.waiting ?? {};
    const crashes = reason === 'CrashLoopBackOff' && restartCount >= CRASHES;
    if (crashes || FINAL.has(reason)) return `container ${name}: ${reason}${message ? `: ${message}` : ''}`;
  }
  return undefined;
}

/** @returns why an object will not start: its last event is one that comes again and again */
function ofEvents(events: EventItem[]): string | undefined {
  const [last] = [...events].sort((a, b) => timeOf(b) - timeOf(a));
  if (!last || !REPEATING.has(last.reason)) return undefined;
  const times = events.filter(({ reason }) => reason === last.reason).reduce((sum, event) => sum + countOf(event), 0);
  return times >= REPEATED ? `${last.reason} (${times} times): ${last.message}` : undefined;
}

/** @param items what `kubectl get pods,events --output=json` lists @returns the pods that cannot start, and what cannot create pods */
export function blockedPods(items: (PodItem | EventItem)[]): Blocked[] {
  const pods = items.filter((item) => item.kind === 'Pod').filter(({ metadata }) => !metadata.deletionTimestamp);
  const byObject = new Map<string, EventItem[]>();
  for (const event of items.filter((item) => item.kind === 'Event')) {
    const key = `${event.involvedObject.kind} ${event.involvedObject.name}`;
    byObject.set(key, [...(byObject.get(key) ?? []), event]);
  }
  const isPending = new Set(pods.filter(({ status }) => status.phase === 'Pending').map(({ metadata }) => metadata.name));
  const found: Blocked[] = pods.flatMap((pod) => {
    const why = ofContainers(pod);
    return why ? [{ kind: 'Pod', name: pod.metadata.name, why }] : [];
  });
  for (const [key, events] of byObject) {
    const [kind = '', name = ''] = key.split(' ');
    const counts = kind === 'Pod' ? isPending.has(name) : kind === 'ReplicaSet' || kind === 'Job';
    const why = counts ? ofEvents(events) : undefined;
    if (why && !found.some((it) => it.name === name)) found.push({ kind, name, why });
  }
  return found;
}

/** @returns the pods that are not ready, with the state of their containers and their last warning */
export function unreadyPods(items: (PodItem | EventItem)[]): Blocked[] {
  const events = items.filter((item) => item.kind === 'Event');
  return items
    .filter((item) => item.kind === 'Pod')
    .filter(({ status }) => status.phase !== 'Succeeded' && !isReady(status))
    .map(({ metadata: { name }, status }) => {
      const [warning] = events
        .filter(({ type, involvedObject }) => type === 'Warning' && involvedObject.kind === 'Pod' && involvedObject.name === name)
        .sort((a, b) => timeOf(b) - timeOf(a));
      const states = (status.containerStatuses ?? []).flatMap(({ state }) => state?.waiting?.reason ?? []);
      const last = warning ? [`${warning.reason}: ${warning.message}`] : [];
      return { kind: 'Pod', name, why: [status.phase ?? 'Unknown', ...states, ...last].join(', ') };
    });
}

const isReady = ({ conditions = [] }: PodItem['status']) => conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
