import { z } from 'zod';
import { instant } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';

const amount = z.number().min(0).max(1e15);
const counter = (means: string) => amount.optional().describe(`${means} Default: 0.`);

/** How much W3C's counters of the browser's statistics rose, summed over all streams of a type. */
export const transportCounters = z
  .object({
    'inbound-rtp': z
      .object({
        bytesReceived: counter('Bytes received.'),
        packetsReceived: counter('Packets received.'),
        packetsLost: counter('Packets that did not arrive.'),
        jitterBufferDelay: counter('Seconds that samples and frames waited in the jitter buffer.'),
        jitterBufferEmittedCount: counter('Samples and frames that left the jitter buffer.'),
        freezeCount: counter('How often a video stood still.'),
        totalFreezesDuration: counter('Seconds in which a video stood still.'),
      })
      .optional()
      .describe('What was received.'),
    'outbound-rtp': z
      .object({ bytesSent: counter('Bytes sent.'), packetsSent: counter('Packets sent.') })
      .optional()
      .describe('What was sent.'),
    'remote-inbound-rtp': z
      .object({ packetsLost: counter('Sent packets that did not arrive.') })
      .optional()
      .describe('What the media server received of it.'),
    'candidate-pair': z
      .object({ totalRoundTripTime: counter('Seconds of all round trips.'), responsesReceived: counter('Number of round trips.') })
      .optional()
      .describe('The way to the media server.'),
  })
  .register(NAMES, {
    id: 'TransportCounters',
    description: 'How much the counters of `RTCPeerConnection.getStats()` rose in a minute, summed over all streams of a type.',
  });

/** More than a minute can contain counts as a minute. */
export const measuredMinute = z
  .object({
    connectionSid: z.string().min(1).max(64).describe('LiveKit’s id of the caller’s connection, `PA_…`, at most 64 characters.'),
    startedAt: instant.describe(
      'When the minute began. Of reports of a connection that began within the same half minute, the first counts.',
    ),
    measuredMs: amount.describe('Milliseconds that were measured: less than 60,000 before the caller leaves.'),
    talkMs: amount.describe('Milliseconds in which the caller spoke.'),
    cameraMs: amount.describe('Milliseconds in which the camera was on.'),
    reconnections: counter('How often the connection was lost.'),
    joinMs: amount.optional().describe('In the first minute: milliseconds from pressing “Join” to being connected.'),
    stats: transportCounters.optional().describe('What the connection carried. Default: nothing was measured.'),
  })
  .register(NAMES, { id: 'MeasuredMinute', description: 'What a page measured of its participant in a minute.' });
export type MeasuredMinute = z.infer<typeof measuredMinute>;
