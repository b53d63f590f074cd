import * as contracts from '../index.js';

const endpoints = contracts.endpointsAmong(Object.values(contracts));
const withMode = (mode: contracts.AuditMode) => endpoints.filter(({ audit }) => audit === mode).map(({ operationId }) => operationId);

describe('the audit log', () => {
  it('has all changes by operators and dashboards, of keys, credentials and webhook endpoints, and all erasures', () => {
    const administrative = endpoints.filter(
      ({ method, auth, scope }) =>
        method !== 'GET' &&
        (auth === 'dispatch' || auth === 'dashboard' || ['keys:manage', 'privacy:manage', 'webhooks:manage'].includes(scope ?? '')),
    );
    expect(administrative.length).toBeGreaterThan(15);
    expect(administrative.filter(({ audit }) => audit !== 'required')).toEqual([]);
  });

  it('has reads of personal data and files, which are refused without it', () => {
    expect(
      withMode('required').filter((id) => endpoints.some(({ operationId, scope }) => operationId === id && scope?.endsWith(':read'))),
    ).toEqual(expect.arrayContaining(['downloadRecordings', 'getParticipantSessions', 'getAttendance']));
  });

  it('has every read of what people wrote, answered and did in class, by a backend and by staff', () => {
    expect(withMode('required')).toEqual(
      expect.arrayContaining(['explainQuality', 'listConsents', 'listEngagement', 'listRoomChat', 'listRoomPolls', 'tutorSummary']),
    );
    for (const exported of ['csv', 'json'])
      expect(contracts.auditModeOf(contracts.listRoomChat, { params: {}, query: { export: exported }, body: undefined })).toBe('required');
  });

  it('has what ends or records a class, removes a person or changes a role in class, which works without it', () => {
    expect(withMode('recorded').sort()).toEqual([
      'changeRoleInClass',
      'deleteDocument',
      'deleteDocumentInClass',
      'deleteRoom',
      'deleteVideo',
      'endClass',
      'mergeRecordings',
      'pauseRecording',
      'pauseRecordingInClass',
      'publishRecording',
      'removeParticipant',
      'removeParticipantInClass',
      'resumeRecording',
      'resumeRecordingInClass',
      'startRecording',
      'startRecordingInClass',
      'stopRecording',
      'stopRecordingInClass',
    ]);
  });

  it('does not have what happens often in a class', () => {
    for (const often of ['joinRoom', 'getRoomStatus', 'sendChatMessage', 'raiseHand', 'openClassroomSession'])
      expect(withMode('none')).toContain(often);
  });

  it.each([contracts.getAttendance, contracts.listRooms])(
    'has what is exported as CSV, and not what is read as JSON: $operationId',
    (endpoint) => {
      const modeOf = (format: string) => contracts.auditModeOf(endpoint, { params: {}, query: { export: format }, body: undefined });
      expect([modeOf('csv'), modeOf('json')]).toEqual(['required', 'none']);
    },
  );

  it('of the operators is that of no organization', () => {
    expect(contracts.organizationId.safeParse(contracts.OPERATORS_LOG).success).toBe(false);
  });
});
