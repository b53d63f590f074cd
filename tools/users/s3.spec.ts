import fs from 'node:fs';
import path from 'node:path';
import { STORAGE_ACCESS } from '@classroom/storage';
import { REPO } from '../stack/context.ts';
import { S3_USERS } from '../stack/secrets.ts';
import { policyFiles } from './s3.ts';

describe('the users of the storage', () => {
  const folder = path.join(REPO, 'deploy', 's3');

  test('have the policies that libs/storage declares: otherwise run npm run generate -- users', () => {
    const written = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(Object.fromEntries(written.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]))).toEqual(
      policyFiles(STORAGE_ACCESS),
    );
  });

  test('are the ones that the local stack creates', () => {
    expect([...S3_USERS].sort()).toEqual(Object.keys(STORAGE_ACCESS).sort());
  });

  test('have on AWS no access without TLS, and old versions for a limited time in every folder but that of what audit logs are compared with', () => {
    const read = (name: string) => JSON.parse(fs.readFileSync(path.join(folder, 'aws', name), 'utf8'));
    const statements: { Effect: string; Action: string | string[]; Resource: string[]; Condition?: object }[] =
      read('bucket-policy.json').Statement;
    expect(statements.every(({ Effect }) => Effect === 'Deny')).toBe(true);
    expect(statements).toContainEqual(
      expect.objectContaining({
        Action: 's3:*',
        Resource: ['arn:aws:s3:::classroom', 'arn:aws:s3:::classroom/*'],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
    const folders = new Set(Object.values(STORAGE_ACCESS).flatMap((rights) => Object.keys(rights)));
    const limited = (read('lifecycle.json').Rules as { Filter: { Prefix: string } }[]).map(({ Filter }) => Filter.Prefix);
    expect([...limited, 'audit-heads/'].sort()).toEqual([...folders].sort());
  });

  test('may change no policy and no other setting of the bucket', () => {
    for (const text of Object.values(policyFiles(STORAGE_ACCESS))) {
      expect(
        text
          .match(/\*"|s3:\w*(Policy|Acl|Bucket|Versioning|Lifecycle|Bypass)\w*/g)
          ?.filter((it) => it !== '*"')
          .sort(),
      ).toEqual(text.match(/s3:(GetBucketLocation|ListBucket(MultipartUploads)?)\b/g)?.sort());
    }
  });
});
