/** A JSON Schema as zod writes it. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  pattern?: string;
  format?: string;
  $ref?: string;
  default?: unknown;
  [key: string]: unknown;
}
