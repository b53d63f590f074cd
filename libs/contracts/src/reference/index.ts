export * from './examples.js';
export * from './open-api.js';
