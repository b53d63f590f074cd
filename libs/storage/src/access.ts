/**
 * `read`: get an object. `write`: make one, also in parts. `resume`: continue an upload in parts that another process began. `delete`: delete
 * an object. `list`: list keys. `abort`: find and free parts of uploads that were never completed.
 */
export type StorageRight = 'read' | 'write' | 'resume' | 'delete' | 'list' | 'abort';

/**
 * What each user of the storage may do, by prefix of the keys. A user has a key of its own; `egress` is LiveKit Egress. The policies in
 * deploy/s3 are generated from this.
 */
export const STORAGE_ACCESS = {
  gateway: { 'ai-inputs/': ['write'] },
  organization: {
    'audit-heads/': ['read', 'write', 'list'],
    'erasures/': ['read', 'write', 'delete', 'list'],
    'exports/': ['read', 'write', 'delete', 'list', 'abort'],
  },
  ai: { 'ai-inputs/': ['read', 'delete', 'list'] },
  recording: { 'recordings/': ['read', 'delete', 'list', 'abort'] },
  recorder: { 'recordings/': ['write'] },
  egress: { 'recordings/': ['write'] },
  media: {
    'videos/': ['read', 'write', 'resume', 'delete', 'list', 'abort'],
    'documents/': ['read', 'write', 'resume', 'delete', 'list', 'abort'],
    // To copy a recording that becomes a video.
    'recordings/': ['read'],
  },
} as const satisfies Record<string, Record<string, readonly StorageRight[]>>;

export type StorageUser = keyof typeof STORAGE_ACCESS;
