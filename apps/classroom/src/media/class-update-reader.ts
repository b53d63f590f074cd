import type { ClassUpdate, CLASS_TOPIC } from '@classroom/contracts';

const TOPIC: typeof CLASS_TOPIC = 'class';

export interface DataPacket {
  payload: Uint8Array;
  topic: string | undefined;
  /** Identity of the participant who sent the packet. LiveKit sets it; packets from the server have none. */
  sender: string | undefined;
}

/**
 * Reads the class's updates from LiveKit's data packets. A packet with a sender comes from a participant, known or unknown, and
 * is ignored.
 */
export class ClassUpdateReader {
  private isReported = false;

  constructor(private readonly report: (problem: string) => void) {}

  /** Returns undefined if the packet is not an update. */
  read({ payload, topic, sender }: DataPacket): ClassUpdate | undefined {
    if (topic !== TOPIC || sender) return undefined;
    const update = parse(payload);
    if (update) return update;
    if (!this.isReported) this.report('An update of the class could not be read and was ignored');
    this.isReported = true;
    return undefined;
  }
}

function parse(payload: Uint8Array): ClassUpdate | undefined {
  try {
    const update = JSON.parse(new TextDecoder().decode(payload)) as Partial<ClassUpdate> | null;
    return typeof update?.base === 'number' && typeof update.version === 'number' ? (update as ClassUpdate) : undefined;
  } catch {
    return undefined;
  }
}
