export { offsetOf, beepsOf, missingSeconds, stillOf, watchFilm, type Film } from './film.js';
export { ffmpeg, playToEnd, probe, type Streams } from './ffmpeg.js';
export { type Canary, type HostileFile, makeHostileFiles } from './hostile.js';
export { makeSource, SOURCE_KINDS, type SourceFile, type SourceKind } from './sources.js';
