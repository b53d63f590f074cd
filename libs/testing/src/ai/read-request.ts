import type { IncomingMessage } from 'node:http';
import type { RecordedFile } from './behaviour.js';

/**
 * Reads JSON or a form.
 * @throws if the body is neither
 */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  if (bytes.length === 0) return {};
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form.entries()) {
    fields[name] = typeof value === 'string' ? value : await toFile(value);
  }
  return fields;
}

const toFile = async (file: File): Promise<RecordedFile> => ({
  name: file.name,
  type: file.type,
  bytes: Buffer.from(await file.arrayBuffer()),
});
