import { newRoomSid } from './room.js';

describe('a sid', () => {
  it('starts with the cell of its installation', () => {
    expect(newRoomSid('E7')).toMatch(/^RM_E7[A-Za-z0-9]{14}$/);
  });

  it('is another one each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newRoomSid('00'))).size).toBe(1_000);
  });
});
