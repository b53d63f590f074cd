export { type Behaviour, WELL_BEHAVED } from './behaviour.js';
export type { Capture } from './capture.js';
export type { EgressEvent, EgressEventName, EgressMessage, EgressStatus } from './egress-message.js';
export { makeFilm } from './film.js';
export { describeRecordingConformance, type RecordingSubject } from './conformance.js';
export { type Enter, type ListedRecording, RecordedRoom } from './recorded-room.js';
export { SimulatedEgress } from './simulated-egress.js';
export { SimulatedEngine } from './simulated-engine.js';
export { SimulatedRecorder } from './simulated-recorder.js';
