export { STORAGE_ACCESS, type StorageRight, type StorageUser } from './access.js';
export { isStorageFull, instrumented, STORAGE_FULL } from './client.js';
export { storageConfig, type StorageConfig } from './config.js';
export { contentDisposition } from './content-disposition.js';
export { credentialsOf } from './credentials.js';
export { ObjectStorage, type ByteRange, type LinkOptions, type ObjectHead, type StoredObject } from './object-storage.js';
export { tenantOf } from './tenant.js';
export { StorageModule } from './storage.module.js';
export type { Uploaded, UploadOptions } from './upload.js';
