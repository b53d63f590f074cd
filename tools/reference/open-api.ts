import type { Schema } from '../contracts/json-schema.ts';

export interface Content {
  content: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: Content & { required: boolean };
  responses: Record<'200', Content>;
}

/** The parts of a reference that are read here. */
export interface OpenApi {
  tags: { name: string; description: string }[];
  'x-tagGroups': { name: string; tags: string[] }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> };
}
