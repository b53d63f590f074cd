import { redact } from './redact.js';

describe('a log record', () => {
  it('contains no secret, however deep it is', () => {
    const deep = {
      request: { headers: { authorization: 'Bearer vc_live_1', 'vf-org-id': 'vfo_1' }, tries: [{ token: 'eyJ' }] },
      secret: 's',
    };
    expect(redact({ ...deep, sid: 'RM_1' })).toEqual({
      request: { headers: { authorization: '[redacted]', 'vf-org-id': '[redacted]' }, tries: [{ token: '[redacted]' }] },
      secret: '[redacted]',
      sid: 'RM_1',
    });
  });

  it('is cut where it is deeper than any record of ours, or refers to itself', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(JSON.stringify(redact(circle))).toContain('[redacted]');
  });

  it('keeps errors, dates and other values', () => {
    const [err, at] = [new Error('failed'), new Date(0)];
    expect(redact({ err, at, none: null, list: [1, 'a'] })).toEqual({ err, at, none: null, list: [1, 'a'] });
  });
});
