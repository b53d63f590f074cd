export { inputOptions, type AllowedInput } from './input-options.js';
export { locateProgram } from './locate-program.js';
export { runProgram, type Ended, type RunOptions } from './run-program.js';
export { confined, findWalls, type ResourceLimits, type Walls } from './walls.js';
