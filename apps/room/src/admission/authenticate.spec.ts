import { signClassroomToken, verifyClassroomToken } from './authenticate.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const config = (...secrets: [string, ...string[]]) => ({ CLASSROOM_TOKEN_SECRET: secrets });
const claims = { sid: 'RM_1', uid: 'ada', sessionNumber: 3 };
const issuedAt = Date.now();

const tokenOf = (...secrets: [string, ...string[]]) => signClassroomToken(config(...secrets), claims, new Date(issuedAt)).token;

describe('a classroom token', () => {
  it('identifies its participant, only under the same secret', () => {
    expect(verifyClassroomToken(config(OLD), tokenOf(OLD))).toEqual({ ...claims, issuedAt });
    expect(() => verifyClassroomToken(config(NEW), tokenOf(OLD))).toThrow();
  });

  it('stays valid during a change of the secret, whichever process signed it', () => {
    // First every process accepts the new secret, then every process signs with it, then the old one is removed.
    const steps: [string, ...string[]][] = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
    for (const [at, step] of steps.entries()) {
      for (const adjacent of steps.slice(Math.max(0, at - 1), at + 2)) {
        expect(verifyClassroomToken(config(...adjacent), tokenOf(...step))).toMatchObject({ uid: 'ada' });
      }
    }
    expect(() => verifyClassroomToken(config(NEW), tokenOf(OLD, NEW))).toThrow();
  });

  it('is refused after it expired, under any secret', () => {
    const { token } = signClassroomToken(config(OLD), claims, new Date(issuedAt - 3_601_000));
    expect(() => verifyClassroomToken(config(NEW, OLD), token)).toThrow();
  });
});
