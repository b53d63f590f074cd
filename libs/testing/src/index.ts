export * from './api.js';
export * from './eventually.js';
export * from './rtc.js';
export * from './stack.js';
export * from './livekit/simulated-livekit.js';
