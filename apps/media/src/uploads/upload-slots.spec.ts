import { UploadSlots } from './upload-slots.js';

describe('upload slots', () => {
  it('leave the slots of others to others', () => {
    const slots = new UploadSlots({ total: 3, perOrganization: 2 });
    const first = slots.take('org_large');
    expect(slots.take('org_large')).toBeDefined();
    expect(slots.take('org_large')).toBeUndefined();
    expect(slots.take('org_small')).toBeDefined();
    expect(slots.take('org_third')).toBeUndefined();
    first?.();
    expect(slots.take('org_third')).toBeDefined();
    expect(slots.take('org_large')).toBeUndefined();
  });

  it('are free again after each upload', () => {
    const slots = new UploadSlots({ total: 1, perOrganization: 1 });
    for (let upload = 0; upload < 3; upload++) {
      const release = slots.take('org_1');
      expect(release).toBeDefined();
      release?.();
    }
  });
});
