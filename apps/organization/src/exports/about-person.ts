import { PERSONAL, UIDS } from '../events/to-public-events.js';

/** A copy of an event's data without the uids and names of others. @returns undefined if the data is not about the person */
export function aboutPerson(data: unknown, uid: string): unknown {
  return mentions(data, uid) ? withoutOthers(data, uid) : undefined;
}

function withoutOthers(value: unknown, uid: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutOthers(one, uid));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  const isOther = fields.some(([key, one]) => key === 'uid' && typeof one === 'string' && one !== uid);
  return Object.fromEntries(
    fields.flatMap(([key, one]) => {
      if (UIDS.has(key) && typeof one === 'string' && one !== uid) return [];
      if (isOther && key in PERSONAL) return [];
      return [[key, withoutOthers(one, uid)]];
    }),
  );
}

function mentions(value: unknown, uid: string): boolean {
  if (Array.isArray(value)) return value.some((one) => mentions(one, uid));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => (UIDS.has(key) && one === uid) || mentions(one, uid));
}
