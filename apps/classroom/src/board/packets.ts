import type { BOARD_TOPIC, BoardPiece, BoardPointer, BoardUpdate } from '@classroom/contracts';
import type { DataPacket } from '../media/connection.js';

const TOPIC: typeof BOARD_TOPIC = 'board';

type Content = Partial<BoardUpdate & BoardPointer & BoardPiece>;

/** Reads the data packets of the board. Those of participants, and those that cannot be read, are ignored: what they lack is fetched. */
export class PacketReader {
  private pieces: { version: number; texts: string[] } = { version: 0, texts: [] };

  /** @returns undefined also for a piece that is not the last of its update */
  read({ payload, topic, sender }: DataPacket): BoardUpdate | BoardPointer | undefined {
    if (topic !== TOPIC || sender) return undefined;
    try {
      const packet = JSON.parse(new TextDecoder().decode(payload)) as Content | null;
      return packet?.piece ? this.join(packet.piece) : contentOf(packet);
    } catch {
      return undefined;
    }
  }

  private join({ version, at, of, base64 }: BoardPiece['piece']): BoardUpdate | BoardPointer | undefined {
    if (at === 0) this.pieces = { version, texts: [] };
    if (this.pieces.version !== version || this.pieces.texts.length !== at) return undefined;
    const { texts } = this.pieces;
    texts.push(atob(base64));
    if (texts.length < of) return undefined;
    const bytes = Uint8Array.from(texts.join(''), (character) => character.charCodeAt(0));
    return contentOf(JSON.parse(new TextDecoder().decode(bytes)) as Content | null);
  }
}

function contentOf(packet: Content | null): BoardUpdate | BoardPointer | undefined {
  if (packet?.pointer) return isPointer(packet.pointer) ? { pointer: packet.pointer } : undefined;
  const isUpdate = typeof packet?.base === 'number' && typeof packet.version === 'number' && Array.isArray(packet.elements);
  return isUpdate ? (packet as BoardUpdate) : undefined;
}

const isPointer = ({ uid, x, y }: Partial<BoardPointer['pointer']>) => typeof uid === 'string' && Number.isFinite(x) && Number.isFinite(y);
