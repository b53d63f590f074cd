import { DefaultNamingStrategy, getMetadataArgsStorage, type NamingStrategyInterface } from 'typeorm';

export const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Property `createdAt` of an entity is column `created_at` of its table. */
export class SnakeCaseNaming extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, custom: string | undefined): string {
    return custom ?? toSnakeCase(property);
  }
}

export type EntityClass<T = object> = new () => T;

/**
 * An entity's columns, named after its properties: `created_at AS "createdAt", …`.
 * @param from alias of the table in the statement
 */
export function columnsOf<T>(
  entity: EntityClass<T>,
  { from, except = [] }: { from?: string; except?: readonly (keyof T & string)[] } = {},
): string {
  const prefix = from ? `${from}.` : '';
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .filter(({ propertyName }) => !(except as readonly string[]).includes(propertyName))
    .map(({ propertyName, options }) => {
      const column = options.name ?? toSnakeCase(propertyName);
      return column === propertyName ? `${prefix}${column}` : `${prefix}${column} AS "${propertyName}"`;
    })
    .join(', ');
}
