import { AppError, type EndpointContract, type Organization } from '@classroom/contracts';

type Closing = Pick<Organization, 'closedAt' | 'erasureBeginsAt'>;

/** Whether the erasure of an organization has begun: what it could read is being deleted. */
export const isErased = ({ closedAt, erasureBeginsAt }: Closing, now: Date): boolean =>
  Boolean(closedAt) && !(erasureBeginsAt && Date.parse(erasureBeginsAt) > now.getTime());

const isReading = ({ method, scope }: EndpointContract): boolean => method === 'GET' || Boolean(scope?.endsWith(':read'));

/**
 * An organization whose erasure was requested may read until the erasure begins, and afterwards what is for closed ones.
 * @throws AppError FORBIDDEN
 */
export function requireOpen(endpoint: EndpointContract | undefined, organization: Closing, now: Date): void {
  if (!organization.closedAt || endpoint?.isForClosed) return;
  if (endpoint && isReading(endpoint) && !isErased(organization, now)) return;
  throw new AppError('FORBIDDEN', { message: 'The organization is closed: its erasure was requested' });
}
