import type { ClassroomEvents, ClassroomEventType, Envelope } from './protocol.js';

// An object, so that the compiler reports a missing or unknown type.
const TYPES: Record<ClassroomEventType, true> = {
  connected: true,
  disconnected: true,
  participant_joined: true,
  participant_left: true,
  class_ended: true,
  class_ending_soon: true,
  participant_removed: true,
  board_changed: true,
  recording_started: true,
  recording_stopped: true,
  quality_changed: true,
  connection_quality_changed: true,
  notification_count_changed: true,
  state_changed: true,
  error: true,
};

/** Every event type that a classroom reports to its host page. */
export const EVENT_TYPES = Object.keys(TYPES) as readonly ClassroomEventType[];

/** An event as received, with its room, time and sequence number. */
export type ClassroomEnvelope<T extends ClassroomEventType = ClassroomEventType> = { [K in T]: Envelope<K, ClassroomEvents[K]> }[T];

export type ClassroomListener<T extends ClassroomEventType> = (data: ClassroomEvents[T], envelope: ClassroomEnvelope<T>) => void;

export function isEventType(type: unknown): type is ClassroomEventType {
  return typeof type === 'string' && Object.hasOwn(TYPES, type);
}
