import { basename } from 'node:path';
import type { Span } from '@opentelemetry/api';
import { inSpan, SpanKind } from './spans.js';

/** A program that is run to its end, as a part of whatever trace that belongs to. */
export function inProgramSpan<T>(file: string, work: (span: Span) => Promise<T>): Promise<T> {
  const name = basename(file);
  return inSpan(name, { kind: SpanKind.CLIENT, attributes: { 'process.executable.name': name }, requireParent: true }, work);
}
