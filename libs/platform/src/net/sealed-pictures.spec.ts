import { openPicture, PICTURES, sealPicture } from './sealed-pictures.js';

const [SECRET, OTHER] = ['s'.repeat(32), 'o'.repeat(32)];
const ADDRESS = 'https://school.example/ada%20l.png?size=2#ü';
const segmentOf = (path: string) => path.slice(PICTURES.length);
const sealed = sealPicture(SECRET, 'org_a', ADDRESS);

describe('the path of a picture', () => {
  it('is opened with the secret that sealed it, and with no other', () => {
    expect(openPicture([OTHER, SECRET], segmentOf(sealed))).toEqual({ owner: expect.stringMatching(/^[\da-f]{16}$/), address: ADDRESS });
    expect(openPicture([OTHER], segmentOf(sealed))).toBeUndefined();
  });

  it('is the same for each request, but differs between organizations and addresses', () => {
    expect(sealPicture(SECRET, 'org_a', ADDRESS)).toBe(sealed);
    const others = [sealPicture(SECRET, 'org_b', ADDRESS), sealPicture(SECRET, 'org_a', `${ADDRESS}.`)];
    expect(new Set([sealed, ...others]).size).toBe(3);
    const owners = [sealed, ...others].map((path) => openPicture([SECRET], segmentOf(path))?.owner);
    expect(owners[1]).not.toBe(owners[0]);
    expect(owners[2]).toBe(owners[0]);
  });

  it('contains nothing of the address in readable form', () => {
    expect(sealed).toMatch(/^\/pictures\/[\w-]+$/);
    expect(Buffer.from(segmentOf(sealed), 'base64url').toString('latin1')).not.toContain('school');
  });

  it('cannot be forged: each changed, missing or added character makes it invalid', () => {
    const segment = segmentOf(sealed);
    for (let at = 0; at < segment.length; at += 1) {
      const changed = `${segment.slice(0, at)}${segment[at] === 'A' ? 'Q' : 'A'}${segment.slice(at + 1)}`;
      // The last character may carry bits that mean nothing.
      if (Buffer.from(changed, 'base64url').equals(Buffer.from(segment, 'base64url'))) continue;
      expect([at, openPicture([SECRET], changed)]).toEqual([at, undefined]);
    }
    for (const forged of ['', 'A', 'A'.repeat(60), segment.slice(0, -2), `${segment}AA`, encodeURIComponent(ADDRESS), `${segment}%`])
      expect([forged, openPicture([SECRET], forged)]).toEqual([forged, undefined]);
  });
});
