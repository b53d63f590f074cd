/** The part of livekit_egress.proto that readers of webhooks and lists can see. */
export type EgressStatus =
  | 'EGRESS_STARTING'
  | 'EGRESS_ACTIVE'
  | 'EGRESS_ENDING'
  | 'EGRESS_COMPLETE'
  | 'EGRESS_FAILED'
  | 'EGRESS_ABORTED'
  | 'EGRESS_LIMIT_REACHED';

export type EgressEventName = 'egress_started' | 'egress_updated' | 'egress_ended';

/** Times are in nanoseconds, int64 as strings; zero means "not yet". */
export interface EgressMessage {
  egressId: string;
  roomName: string;
  status: EgressStatus;
  startedAt: string;
  endedAt: string;
  updatedAt: string;
  error: string;
  roomComposite: { roomName: string; layout: string; fileOutputs: { filepath: string }[] };
  fileResults: FileResult[];
}

export interface FileResult {
  filename: string;
  startedAt: string;
  endedAt: string;
  duration: string;
  size: string;
  location: string;
}

export interface EgressEvent {
  event: EgressEventName;
  id: string;
  createdAt: string;
  egressInfo: EgressMessage;
}

export const nanoseconds = (ms: number | undefined) => String(BigInt(Math.round(ms ?? 0)) * 1_000_000n);

export const isOver = (status: EgressStatus) => !['EGRESS_STARTING', 'EGRESS_ACTIVE', 'EGRESS_ENDING'].includes(status);

/** The message as LiveKit posts it: protojson omits default values, and STARTING is the default. */
export function toWebhook({ event, id, createdAt, egressInfo }: EgressEvent): object {
  const entries = Object.entries(egressInfo).filter(
    ([, value]) => value !== '' && value !== '0' && value !== 'EGRESS_STARTING' && !(Array.isArray(value) && value.length === 0),
  );
  return { event, id, createdAt, egressInfo: Object.fromEntries(entries) };
}
