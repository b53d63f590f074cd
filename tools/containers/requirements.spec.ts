import { ENGINE, missingPackages, NODE, stepsByHand, type Machine } from './requirements.ts';

const GB = 1024 ** 3;
const machine = (its: Partial<Machine>): Machine => ({
  isRoot: true,
  installs: true,
  missing: [],
  go: 'go version go1.26.8 linux/amd64',
  free: 60 * GB,
  ...its,
});

describe('what the checks of a deployment need', () => {
  it('is installed at once, whatever of it is missing', () => {
    expect(missingPackages(NODE, () => false)).toEqual(Object.keys(NODE));
    expect(missingPackages(NODE, () => true)).toEqual([]);
    expect(missingPackages(NODE, (name) => name !== '/usr/lib/cni/portmap' && name !== 'nft')).toEqual([
      'containernetworking-plugins',
      'nftables',
    ]);
  });

  it('is more for a cluster than for Compose', () => expect(Object.keys(NODE)).toEqual(expect.arrayContaining(Object.keys(ENGINE))));

  it('leaves nothing to be done by hand to root on Debian with Go', () => {
    expect(stepsByHand(machine({ missing: ['docker.io', 'debootstrap'] }))).toEqual([]);
  });

  it('is named in one go where it cannot be installed', () => {
    const steps = stepsByHand(
      machine({ isRoot: false, installs: false, missing: ['docker.io', 'debootstrap'], go: undefined, free: 3.25 * GB }),
    );
    expect(steps).toEqual([
      'run this as root',
      'install the Debian packages docker.io, debootstrap (root installs them itself)',
      'install Go 1.21 or newer (here is none)',
      'make room: the disk of the cache has 3.3 GB free, and 25 GB are needed (STACK_CACHE names another disk)',
    ]);
  });

  test.each([
    ['go version go1.19.8 linux/amd64', 1],
    ['go version go1.21 linux/arm64', 0],
    ['go version devel', 1],
  ])('knows whether Go is new enough: %s', (go, count) => expect(stepsByHand(machine({ go }))).toHaveLength(count));

  it('is no space on the disk where everything was built before', () => expect(stepsByHand(machine({ free: undefined }))).toEqual([]));
});
