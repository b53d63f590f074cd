export * from './protocol.js';
export { ClassroomFrame, connectClassroom, type ClassroomFrameOptions } from './classroom-frame.js';
export { defineVirtualClassroom, VirtualClassroomElement, type ClassroomEvent } from './element.js';
export { EVENT_TYPES, type ClassroomEnvelope, type ClassroomListener } from './event-types.js';
