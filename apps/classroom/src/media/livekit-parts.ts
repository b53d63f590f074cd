/** What the page uses of LiveKit's client: a dynamic import of the package itself would load all of it. */
export {
  ConnectionQuality,
  ConnectionState,
  createLocalScreenTracks,
  createLocalTracks,
  DefaultReconnectPolicy,
  DisconnectReason,
  ParticipantKind,
  Room,
  RoomEvent,
  setLogLevel,
  Track,
  TrackEvent,
} from 'livekit-client';
