export { STORAGE_ACCESS, type StorageRight, type StorageUser } from './access.js';
export { isStorageFull, instrumented, STORAGE_FULL } from './client.js';
export { credentialsOf, storageConfig, type StorageConfig } from './config.js';
export { contentDisposition } from './content-disposition.js';
export { ObjectStorage, tenantOf, type ByteRange, type LinkOptions, type ObjectHead, type StoredObject } from './object-storage.js';
export { StorageModule } from './storage.module.js';
export { BucketFailure, WriteOnlyBucket, type BucketRefusal, type Destination } from './write-only-bucket.js';
export type { Uploaded, UploadOptions } from './upload.js';
