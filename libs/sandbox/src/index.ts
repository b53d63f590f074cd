export { decodersOf, inputOptions, probeOptions, type AllowedInput } from './input-options.js';
export { locateProgram, runProgram, type ProgramResult, type RunOptions } from './run-program.js';
export { detectIsolation, isolatedCommand, type ProcessIsolation, type ResourceLimits } from './process-isolation.js';
