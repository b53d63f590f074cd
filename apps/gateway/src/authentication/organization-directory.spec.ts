import {
  cancelErasure,
  createErasure,
  createExport,
  createRoom,
  getAttendance,
  getDashboardProfile,
  getErasure,
  getParticipantSessions,
  listWebhookEndpoints,
  updateDashboardBranding,
  type EndpointContract,
} from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import { NamedOrganization, requireOpen } from './organization-directory.js';

const NOW = new Date('2026-12-01T10:00:00Z');
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000).toISOString();
const isOpen = (endpoint: EndpointContract, organization: { closedAt?: string | null; erasureBeginsAt?: string | null }) => {
  try {
    requireOpen(endpoint, organization, NOW);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'FORBIDDEN' });
    return false;
  }
};

const READS: EndpointContract[] = [getAttendance, getParticipantSessions, getDashboardProfile, listWebhookEndpoints];
const CHANGES: EndpointContract[] = [createRoom, createExport, updateDashboardBranding];
const OF_ERASURES: EndpointContract[] = [createErasure, getErasure, cancelErasure];
const answers = (organization: { closedAt?: string | null; erasureBeginsAt?: string | null }) =>
  [READS, CHANGES, OF_ERASURES].map((endpoints) => [...new Set(endpoints.map((endpoint) => isOpen(endpoint, organization)))]);

describe('an organization', () => {
  it('that is open may call everything', () => {
    for (const organization of [{}, { closedAt: null, erasureBeginsAt: null }])
      expect(answers(organization)).toEqual([[true], [true], [true]]);
  });

  it('whose erasure was requested may read, and cancel it, until it begins', () => {
    expect(answers({ closedAt: at(-71), erasureBeginsAt: at(1) })).toEqual([[true], [false], [true]]);
    expect(answers({ closedAt: at(-72), erasureBeginsAt: at(0) })).toEqual([[false], [false], [true]]);
    expect(answers({ closedAt: at(-73), erasureBeginsAt: at(-1) })).toEqual([[false], [false], [true]]);
  });

  it('that is closed without a date may read its erasure alone', () => {
    expect(answers({ closedAt: at(-1) })).toEqual([[false], [false], [true]]);
  });
});

describe('an organization that an operator names', () => {
  const forgotten: string[] = [];
  const organizations = { forget: (organizationId: string) => void forgotten.push(organizationId) };
  const others = { forget: () => undefined } as never;
  const named = new NamedOrganization(others, organizations as never, others, others);
  const answered = (caller: object, endpoint: object, params: object = {}, status = 200) =>
    named.forgetChanged(
      { requestContext: { caller, endpoint: { audit: 'required', ...endpoint }, input: { params } } } as unknown as FastifyRequest,
      status,
    );
  const operator = { kind: 'dispatch' };
  const school = { kind: 'organization', organization: { organizationId: 'org_school' } };
  const dashboard = { kind: 'dashboard', organization: { organizationId: 'org_dashboard' } };

  it('is read again after a change by an operator, and only then', () => {
    answered(operator, { method: 'GET' }, { organizationId: 'org_read' });
    answered(operator, { method: 'POST' });
    answered(school, { method: 'POST', audit: 'none' }, { organizationId: 'org_other' });
    answered(operator, { method: 'PUT' }, { organizationId: 'org_refused' }, 409);
    expect(forgotten).toEqual([]);
    answered(operator, { method: 'PUT' }, { organizationId: 'org_changed' });
    expect(forgotten).toEqual(['org_changed']);
  });

  it('or calls is read again after its dashboard or itself changed it, or who may act for it', () => {
    forgotten.length = 0;
    answered(dashboard, { method: 'GET' });
    answered(school, { method: 'GET' });
    expect(forgotten).toEqual([]);
    answered(dashboard, { method: 'PATCH' });
    answered(school, { method: 'DELETE' });
    expect(forgotten).toEqual(['org_dashboard', 'org_school']);
  });
});
