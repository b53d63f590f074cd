/**
 * The first import of each app's main.ts, so that ioredis is patched when it is first required. Exporters follow the
 * standard OTEL_* variables; if these name none, spans are written to TRACE_FILE (the local stack).
 */
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import { FileSpanExporter } from './file-exporter.js';
import { version } from '../version.js';
import { metricReader } from './metrics.js';

const env = process.env;
// Without a collector's address the SDK would try one on localhost and log errors without end.
if (!env['OTEL_EXPORTER_OTLP_ENDPOINT'] && !env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) env['OTEL_TRACES_EXPORTER'] ??= 'none';
env['OTEL_LOGS_EXPORTER'] ??= 'none';
env['OTEL_METRICS_EXPORTER'] ??= 'none';

const traceFile = env['OTEL_TRACES_EXPORTER'] === 'none' ? env['TRACE_FILE'] : undefined;

const sdk = new NodeSDK({
  resource: resourceFromAttributes({ 'service.name': env['SERVICE_NAME'] ?? 'unknown', 'service.version': version }),
  // Without `spanProcessors`, the SDK builds the exporters that OTEL_TRACES_EXPORTER names.
  ...(traceFile
    ? { spanProcessors: [new BatchSpanProcessor({ exporter: new FileSpanExporter(traceFile), scheduledDelayMillis: 300 })] }
    : {}),
  metricReaders: [metricReader],
  instrumentations: [
    // Arguments contain keys made of ids, so only the name of the command is recorded.
    new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
  ],
});
sdk.start();

/** Flushes recorded telemetry; called last in a graceful stop. */
export const shutdownTelemetry = () => sdk.shutdown().catch(() => undefined);
(globalThis as { classroomTelemetryShutdown?: () => Promise<unknown> }).classroomTelemetryShutdown = shutdownTelemetry;
