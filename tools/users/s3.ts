import type { StorageRight, STORAGE_ACCESS } from '@classroom/storage';

type Access = typeof STORAGE_ACCESS;

interface Statement {
  Effect: 'Allow';
  Action: string[];
  Resource: string[];
  Condition?: Record<string, Record<string, string[]>>;
}

/** Replace it in the policies if your bucket has another name. */
const BUCKET = 'arn:aws:s3:::classroom';

const ON_OBJECTS: Record<StorageRight, string[]> = {
  read: ['s3:GetObject'],
  write: ['s3:PutObject', 's3:AbortMultipartUpload'],
  resume: ['s3:ListMultipartUploadParts'],
  delete: ['s3:DeleteObject'],
  list: [],
  abort: ['s3:AbortMultipartUpload'],
};

/**
 * @param listing how a listing's prefix is compared. AWS answers a request for an absent object with 404 only to users who may list without
 *   a prefix, which `StringLikeIfExists` permits
 */
function statementsOf(access: Record<string, readonly StorageRight[]>, listing: 'StringLike' | 'StringLikeIfExists'): Statement[] {
  const prefixes = Object.entries(access);
  const having = (right: StorageRight) => prefixes.filter(([, rights]) => rights.includes(right)).map(([prefix]) => prefix);
  const listed = having('list').map((prefix) => `${prefix}*`);
  return [
    ...prefixes.map(([prefix, rights]) => ({
      Effect: 'Allow' as const,
      Action: [...new Set(rights.flatMap((right) => ON_OBJECTS[right]))].sort(),
      Resource: [`${BUCKET}/${prefix}*`],
    })),
    ...(listed.length > 0
      ? [{ Effect: 'Allow' as const, Action: ['s3:ListBucket'], Resource: [BUCKET], Condition: { [listing]: { 's3:prefix': listed } } }]
      : []),
    {
      Effect: 'Allow',
      // S3 has no condition on the prefix for uploads in progress.
      Action: ['s3:GetBucketLocation', ...(having('abort').length > 0 ? ['s3:ListBucketMultipartUploads'] : [])],
      Resource: [BUCKET],
    },
  ];
}

const json = (statements: object[]) => `${JSON.stringify({ Version: '2012-10-17', Statement: statements }, null, 2)}\n`;

/** The files of deploy/s3, by name: the policy of each user for AWS and MinIO, and that of the bucket for versitygw, which has only these. */
export function policyFiles(access: Access): Record<string, string> {
  const users = Object.entries<Record<string, readonly StorageRight[]>>(access);
  return {
    ...Object.fromEntries(users.map(([user, prefixes]) => [`${user}.json`, json(statementsOf(prefixes, 'StringLikeIfExists'))])),
    'bucket-policy.json': json(
      users.flatMap(([user, prefixes]) =>
        statementsOf(prefixes, 'StringLike').map((statement) => ({ ...statement, Principal: { AWS: [user] } })),
      ),
    ),
  };
}
