import { writeSync } from 'node:fs';
import type { LoggerService } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { pino, type Logger } from 'pino';
import { LogOutput } from './log-output.js';
import { redact } from './redact.js';
import { version } from './version.js';

/**
 * The fields of an error that are logged. They are listed one by one, because drivers attach a statement's parameters and the
 * rejected row to their errors: people's names and organizations' secrets.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  const message = messageOf(error);
  return {
    type: error.name,
    message,
    ...(code === undefined ? {} : { code: String(code) }),
    stack: error.stack?.replace(error.message, () => message),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** SQLSTATEs of data exceptions, whose messages quote the value. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;

/** The message of an error without the value that it quotes: Postgres quotes a refused value, `JSON.parse` a part of the text. */
export function messageOf(error: Error): string {
  const isQuoting = error instanceof SyntaxError || DATA_EXCEPTION.test(String((error as { code?: unknown }).code));
  return isQuoting ? error.message.replace(/["'].*["']/s, '…') : error.message;
}

const base = { service: process.env['SERVICE_NAME'] ?? 'unknown', version, pid: process.pid };

const stdout = new LogOutput(
  (bytes) => writeSync(1, bytes),
  (dropped) =>
    `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), ...base, dropped, msg: 'log lines were dropped: they could not be written' })}\n`,
);

/** Writes one JSON line per record to stdout, with the ids of its trace and span. */
export const logger: Logger = pino(
  {
    level: process.env['LOG_LEVEL'] ?? 'info',
    base,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: redact },
    serializers: { err: describeError },
    mixin: () => {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
    },
  },
  stdout,
);

/** Writes Nest's own messages to the same logger; its start-up messages only at debug. */
export class NestLogger implements LoggerService {
  log(message: unknown, ...rest: unknown[]) {
    this.write('debug', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]) {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]) {
    this.write('trace', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]) {
    this.write('warn', message, rest);
  }
  error(message: unknown, ...rest: unknown[]) {
    this.write('error', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]) {
    this.write('fatal', message, rest);
  }

  private write(level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal', message: unknown, rest: unknown[]) {
    const context = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    if (message instanceof Error) logger[level]({ err: message, context }, messageOf(message));
    else logger[level]({ context }, String(message));
  }
}
