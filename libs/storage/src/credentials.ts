import { AppError } from '@classroom/contracts';
import type { StorageConfig } from './config.js';

export type StorageKey = Partial<Pick<StorageConfig, 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>>;

/**
 * The configured key, as options of an S3 client. Without one the client finds credentials as every AWS SDK does: in variables, a web
 * identity, a container's or the instance's role.
 */
export function credentialsOf({ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }: StorageKey) {
  if (accessKeyId === undefined && secretAccessKey === undefined) return {};
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new AppError('INTERNAL_ERROR', { message: 'set both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither' });
  }
  return { credentials: { accessKeyId, secretAccessKey } };
}
