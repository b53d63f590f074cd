import { z } from 'zod';
import { PUBLIC_EVENTS, type PublicEventType } from './public-events.js';

/** An event that nothing caused, for the endpoints of a sandbox. Like a ping it is not part of the history. */
export interface ExampleEvent {
  id: string;
  type: PublicEventType;
  /** ISO 8601 */
  timestamp: string;
  sequence: null;
  livemode: false;
  data: Record<string, unknown>;
}

/** A request of a sandbox to the organization service, at `SANDBOX_EVENT_SUBJECT`. */
export interface SandboxEvent {
  type: PublicEventType;
  /** The endpoints that get it, whatever types they have chosen. */
  endpointIds: string[];
}

/** Values that look like what they are, by the name of the field. */
const NAMED: Record<string, unknown> = {
  roomId: 'algebra-1',
  sid: 'RM_00aZ3kQ9xT4vB7nM',
  title: 'Algebra',
  uid: 'student-1',
  name: 'Bob',
  role: 'STUDENT',
  reason: 'deleted',
  status: 'COMPLETED',
  health: 'OK',
  recordingId: 'rec_EG_4mXbQ8sKfTzL',
  egressId: 'EG_4mXbQ8sKfTzL',
};

interface Schema {
  /** Several if it may be null. */
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  format?: string;
  pattern?: string;
  minimum?: number;
}

/** The data of an example event: valid by its schema. @param now the time of each of its timestamps */
export function exampleData(type: PublicEventType, now: Date): Record<string, unknown> {
  return valueOf(z.toJSONSchema(PUBLIC_EVENTS[type], { unrepresentable: 'any' }) as Schema, '', now.toISOString()) as Record<
    string,
    unknown
  >;
}

function valueOf(schema: Schema, name: string, now: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  // Why something failed is null where it may be.
  if (schema.anyOf) return name === 'reason' ? null : valueOf(schema.anyOf[0] ?? {}, name, now);
  if (Array.isArray(schema.type)) return name === 'reason' ? null : valueOf({ ...schema, type: schema.type[0] ?? '' }, name, now);
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, valueOf(value, key, now)]));
  if (schema.type === 'array') return schema.items ? [valueOf(schema.items, name, now)] : [];
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 0, 10);
  if (schema.type === 'boolean') return false;
  return schema.format === 'date-time' || /At$|Since$/.test(name) ? now : (NAMED[name] ?? `example-${name}`);
}
