import { TrackPublishOptions, TrackSource, type LocalTrack, type Room } from '@livekit/rtc-node';
import { eventually } from '../eventually.js';

/** Milliseconds after which a track that is in no offer is published again. The SDK collects for 150 what it offers. */
const OFFER_MS = 2_000;

type Options = Partial<Pick<TrackPublishOptions, 'simulcast' | 'dtx'>> & { source: TrackSource };

/**
 * Resolves when the track is part of an offer to LiveKit. The SDK (rtc-node 1.1) forgets to negotiate a track that is published while another offer is
 * being sent, such as one for the tracks of others: LiveKit has accepted it then, and never receives its media. A new track is negotiated again.
 * @throws if LiveKit refuses the track
 */
export async function publishTrack(room: Room, create: () => LocalTrack, options: Options): Promise<void> {
  const kind = options.source === TrackSource.SOURCE_MICROPHONE ? 'audio' : 'video';
  const before = await offered(room, kind);
  const isOffered = async () => {
    const sections = await offered(room, kind);
    if (sections.every((section) => before.includes(section))) throw new Error(`the ${kind} is in no offer`);
    return true;
  };
  for (;;) {
    const publication = await room.localParticipant?.publishTrack(create(), new TrackPublishOptions(options));
    if (await eventually(isOffered, OFFER_MS).catch(() => false)) return;
    await room.localParticipant?.unpublishTrack(publication?.sid ?? '', false);
  }
}

/** The sections of our last offer that send media of this kind. */
async function offered(room: Room, kind: string): Promise<string[]> {
  const { publisherStats } = await room.getRtcStats();
  const sent = publisherStats.flatMap(({ stats }) => (stats.case === 'outboundRtp' ? [stats.value] : []));
  return sent.flatMap(({ stream, outbound }) => (stream?.kind === kind && outbound?.mid ? [outbound.mid] : []));
}
