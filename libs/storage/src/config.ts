import { z } from 'zod';
import { AppError } from '@classroom/contracts';

export const storageConfig = z.object({
  /** Address of the storage for this process. */
  S3_ENDPOINT: z.url(),
  /**
   * Address of the same storage for browsers. Signed addresses begin with it and the signature covers its host, so a proxy in
   * between must keep host and path.
   */
  S3_PUBLIC_URL: z.url().optional(),
  /** Region that the storage is configured with. It is part of the signature. */
  S3_REGION: z.string().min(1).default('us-east-1'),
  /** The one bucket for everything. Recordings, videos and AI inputs have separate folders in it. */
  S3_BUCKET: z.string().min(3),
  /**
   * Id of this app's key, which may do what deploy/s3 lists for it. Without a key, the default credentials of AWS's SDK are used: `AWS_…`
   * variables, a web identity, the role of the container or the instance.
   */
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  /** The key's secret. */
  S3_SECRET_ACCESS_KEY: z.string().min(16, 'must be a secret of at least 16 characters').optional(),
  /** Whether the bucket's name is in the path, as most storages other than AWS require, and not in the host name. */
  S3_FORCE_PATH_STYLE: z.stringbool().default(true),
});
export type StorageConfig = z.infer<typeof storageConfig>;

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
