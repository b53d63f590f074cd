import { appendFile, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

const KINDS = ['INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const STATUS = ['UNSET', 'OK', 'ERROR'];
const nanos = ([seconds, rest]: [number, number]) => (BigInt(seconds) * 1_000_000_000n + BigInt(rest)).toString();

/** Writes each span as one line of JSON, for `npm run trace <id>`. Spans that do not fit on a full disk are lost. */
export class FileSpanExporter implements SpanExporter {
  constructor(private readonly path: string) {
    mkdirSync(dirname(path), { recursive: true });
  }

  export(spans: ReadableSpan[], done: (result: { code: number }) => void): void {
    // The file is opened for each write: a stream would stay closed after its first ENOSPC.
    appendFile(this.path, spans.map(toLine).join(''), () => done({ code: 0 }));
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

function toLine(span: ReadableSpan): string {
  const { traceId, spanId } = span.spanContext();
  const { code, message } = span.status;
  return `${JSON.stringify({
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    service: span.resource.attributes['service.name'],
    name: span.name,
    kind: KINDS[span.kind],
    startUnixNano: nanos(span.startTime),
    endUnixNano: nanos(span.endTime),
    attributes: span.attributes,
    status: { code: STATUS[code], message },
    events: span.events.map((event) => ({ name: event.name, attributes: event.attributes })),
    links: span.links.map((link) => ({ traceId: link.context.traceId, spanId: link.context.spanId })),
  })}\n`;
}
