import type { BOARD_TOPIC, BoardPointer, BoardUpdate } from '@classroom/contracts';
import type { DataPacket } from '../media/connection.js';

const TOPIC: typeof BOARD_TOPIC = 'board';

/** A data packet of the board. Packets of participants, and those that cannot be read, are ignored: what they lack is fetched. */
export function readPacket({ payload, topic, sender }: DataPacket): BoardUpdate | BoardPointer | undefined {
  if (topic !== TOPIC || sender) return undefined;
  try {
    const packet = JSON.parse(new TextDecoder().decode(payload)) as Partial<BoardUpdate & BoardPointer> | null;
    if (packet?.pointer) return isPointer(packet.pointer) ? { pointer: packet.pointer } : undefined;
    const isUpdate = typeof packet?.base === 'number' && typeof packet.version === 'number' && Array.isArray(packet.elements);
    return isUpdate ? (packet as BoardUpdate) : undefined;
  } catch {
    return undefined;
  }
}

const isPointer = ({ uid, x, y }: Partial<BoardPointer['pointer']>) => typeof uid === 'string' && Number.isFinite(x) && Number.isFinite(y);
