import { basename } from 'node:path';
import type { Span } from '@opentelemetry/api';
import { inSpan, SpanKind } from './spans.js';

/** Creates a span for a program that runs to its end, if there is a trace. */
export function inProgramSpan<T>(file: string, work: (span: Span) => Promise<T>): Promise<T> {
  const name = basename(file);
  return inSpan(name, { kind: SpanKind.CLIENT, attributes: { 'process.executable.name': name }, requireParent: true }, work);
}
