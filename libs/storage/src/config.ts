import { z } from 'zod';

export const storageConfig = z.object({
  /** Where this process reaches the storage. */
  S3_ENDPOINT: z.url(),
  /** The same storage as browsers reach it: signed addresses begin with it, and its host is part of what is signed, so a proxy in between keeps host and path. */
  S3_PUBLIC_URL: z.url().optional(),
  /** Part of what is signed: the region that the storage was told, whatever it is. */
  S3_REGION: z.string().min(1).default('us-east-1'),
  /** One bucket for all: recordings, videos and inputs of AI have folders of their own in it. */
  S3_BUCKET: z.string().min(3),
  /** May read, write, list, delete and abort uploads in the bucket, and create it where it does not exist. */
  S3_ACCESS_KEY_ID: z.string().min(1),
  /** The key's secret. */
  S3_SECRET_ACCESS_KEY: z.string().min(16, 'must be a secret of at least 16 characters'),
  /** The bucket in the path, as most storages other than AWS want it, and not in the host's name. */
  S3_FORCE_PATH_STYLE: z.stringbool().default(true),
});
export type StorageConfig = z.infer<typeof storageConfig>;
