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
import { requireOpen } from './organization-directory.js';

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
