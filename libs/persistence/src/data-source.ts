import { DataSource, DefaultNamingStrategy, getMetadataArgsStorage, type DataSourceOptions, type NamingStrategyInterface } from 'typeorm';
import { logger } from '@classroom/platform';
import { Driver } from './driver.js';

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

const SECOND = 1_000;
/** Connections that stay open while none is used, so that the first requests after a quiet time do not wait for new ones. */
const KEPT = 2;

export interface ConnectionOptions {
  schema: string;
  url: string;
  entities?: readonly EntityClass[];
  poolSize?: number;
  /** How long a caller waits for a free connection, in milliseconds. */
  waitMs?: number;
}

export const dataSourceOptions = ({ schema, url, entities = [], poolSize = 10, waitMs = 2 * SECOND }: ConnectionOptions) =>
  ({
    type: 'postgres',
    driver: new Driver(url),
    url,
    schema,
    entities: [...entities],
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    logging: false,
    applicationName: schema,
    poolSize,
    poolErrorHandler: (error: unknown) => logger.warn({ err: error }, 'database connection lost'),
    extra: {
      connectionTimeoutMillis: waitMs,
      // Longer than the statement timeout, which the migrations set on the role.
      query_timeout: 12 * SECOND,
      keepAlive: true,
      // Load balancers forget a connection that is quiet for some minutes.
      keepAliveInitialDelayMillis: 60 * SECOND,
      min: KEPT,
    },
  }) satisfies DataSourceOptions;

/** A data source for use outside a Nest application, where no request waits: by default a caller waits up to 20 s for a free connection. */
export const connect = (options: ConnectionOptions): Promise<DataSource> =>
  new DataSource(dataSourceOptions({ waitMs: 20 * SECOND, ...options })).initialize();
