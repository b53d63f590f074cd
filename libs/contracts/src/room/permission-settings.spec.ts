import { changedPermissions, rolePermissions } from './permission-settings.js';

describe('a change of the permissions of roles', () => {
  const present = { STUDENT: { publishAudio: true, chat: false }, TEACHER: { endClass: false } };

  it('leaves as it is what it does not name, and removes what is null', () => {
    expect(changedPermissions(present, undefined)).toBe(present);
    expect(changedPermissions(present, { STUDENT: { chat: null, react: false, raiseHand: undefined } })).toEqual({
      STUDENT: { publishAudio: true, react: false },
      TEACHER: { endClass: false },
    });
    expect(changedPermissions({}, { ADMIN: { changeRoom: false } })).toEqual({ ADMIN: { changeRoom: false } });
  });

  it('leaves nothing where the roles apply again', () => {
    expect(changedPermissions(present, { STUDENT: { publishAudio: null, chat: null } })).toEqual({ TEACHER: { endClass: false } });
    expect(changedPermissions({ STUDENT: { chat: false } }, { STUDENT: { chat: null } })).toEqual({});
    expect(changedPermissions({}, { STUDENT: {} })).toEqual({});
  });
});

it('unknown roles and permissions are left out, and values other than true and false are refused', () => {
  expect(rolePermissions.parse({ STUDENT: { chat: false, fly: true }, PARENT: { chat: true } })).toEqual({ STUDENT: { chat: false } });
  expect(rolePermissions.safeParse({ STUDENT: { chat: 'no' } }).success).toBe(false);
});
