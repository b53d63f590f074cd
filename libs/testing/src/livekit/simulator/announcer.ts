import type { EventLog } from './event-log.js';
import type { TrackMessage, WebhookEventName, WebhookMessage } from './messages.js';
import type { Participant } from './participant.js';
import { newSid } from './random.js';
import type { Room } from './room.js';
import { stampMs } from './stamps.js';
import type { WebhookNotifier } from './webhooks/notifier.js';

/** Converts what happened into webhooks (pkg/telemetry/events.go). */
export class Announcer {
  constructor(
    private readonly notifiers: readonly WebhookNotifier[],
    private readonly log: EventLog,
  ) {}

  announce(event: WebhookEventName, room: Room, participant?: Participant): void {
    this.#send({ ...this.#head(event), room: room.toMessage(), participant: participant?.toMessage() });
  }

  /** Contains only ids and names of the room and the participant: pkg/telemetry/events.go TrackPublished. */
  trackPublished(room: Room, participant: Participant, track: TrackMessage): void {
    this.#send({
      ...this.#head('track_published'),
      room: { sid: room.sid, name: room.name },
      participant: { sid: participant.sid, identity: participant.identity },
      track,
    });
  }

  /** The process and its queues end after `graceMs`. */
  forget(graceMs = 0): void {
    for (const notifier of this.notifiers) notifier.forget(graceMs);
  }

  #head(event: WebhookEventName) {
    return { event, id: newSid('EV_'), createdAt: String(Math.floor(stampMs() / 1000)) };
  }

  #send(message: WebhookMessage): void {
    this.log.write(message.event, { id: message.id, room: message.room.name, sid: message.participant?.sid });
    // A full queue ends the loop, so the urls after it do not get the event either (protocol/webhook/notifier.go QueueNotify).
    for (const notifier of this.notifiers) if (!notifier.notify(message)) break;
  }
}
