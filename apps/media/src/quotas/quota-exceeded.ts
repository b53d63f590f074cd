import { AppError } from '@classroom/contracts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const sizeOf = (bytes: number) => (bytes < GIB / 10 ? `${(bytes / MIB).toFixed(1)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`);
const minutesOf = (seconds: number) => String(Math.ceil(seconds / 60));

/** @param path field of the request that asks for more @param added bytes */
export function requireBytes(path: string, used: number, added: number, allowed: number): void {
  if (used + added <= allowed) return;
  const message = `The quota of storage is exceeded: the organization’s videos occupy ${sizeOf(used)} of ${sizeOf(allowed)}, and this needs ${sizeOf(added)}. Delete videos, or have the operator raise quotas.videoGib.`;
  throw new AppError('QUOTA_EXCEEDED', { message, details: [{ path, message }] });
}

/** @param added seconds; 0 while they are not known @param now in the month */
export function requireMinutes(used: number, added: number, allowed: number, now: Date): void {
  if (added === 0 ? used < allowed : used + added <= allowed) return;
  const needed = added === 0 ? '' : `, and this has ${minutesOf(added)}`;
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString().slice(0, 10);
  const message = `The quota of transcoding is exceeded: ${minutesOf(used)} of ${minutesOf(allowed)} minutes of this month are used${needed}. Wait until ${next} (UTC), or have the operator raise quotas.videoMinutes.`;
  throw new AppError('QUOTA_EXCEEDED', { message, details: [{ path: 'quotas.videoMinutes', message }] });
}
