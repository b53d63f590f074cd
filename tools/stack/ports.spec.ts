import net from 'node:net';
import { BLOCK, derivePortBase, holderOf, layOut, pickPorts, portFrom, refuseTakenPorts } from './ports.ts';

describe('ports', () => {
  test('neighbouring gateways get blocks that do not overlap, below the ephemeral range', () => {
    const bases = Array.from({ length: 450 }, (_, n) => derivePortBase(8080 + n));
    expect(new Set(bases).size).toBe(450);
    expect(Math.min(...bases)).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...bases) + BLOCK).toBeLessThanOrEqual(32_768);
    expect(bases.every((base) => base % BLOCK === 0)).toBe(true);
  });

  test('every port of a stack is its own and inside the block', () => {
    const { parts, probes } = layOut(20_000, ['organization', 'room', 'gateway']);
    const all = [...Object.values(parts), ...Object.values(probes)];
    expect(new Set(all).size).toBe(all.length);
    expect(all.every((port) => port >= 20_000 && port < 20_000 + BLOCK)).toBe(true);
  });

  test.each(['0', '70000', 'abc', '80.5'])('GATEWAY_PORT=%s is refused in one line', (text) => {
    expect(() => portFrom(text, 'GATEWAY_PORT', 8080)).toThrow(/^GATEWAY_PORT=.* is not a port: .*\.$/);
  });

  test('a port in use is reported with its owner and how to choose others', async () => {
    const server = net.createServer();
    await new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(undefined));
    });
    const { port } = server.address() as net.AddressInfo;
    await expect(refuseTakenPorts([{ what: 'the gateway', port, setting: 'GATEWAY_PORT' }])).rejects.toThrow(
      new RegExp(`^Port ${port} \\(the gateway\\) is taken.*GATEWAY_PORT=${port + 1}`),
    );
    if (process.platform === 'linux') expect(holderOf(port)).toContain(`pid ${process.pid}`);
    await new Promise((resolve) => {
      server.close(() => resolve(undefined));
    });
    await expect(refuseTakenPorts([{ what: 'the gateway', port }])).resolves.toBeUndefined();
  });

  test('two concurrent picks never get the same block', async () => {
    const picks = await Promise.all([pickPorts(), pickPorts(), pickPorts()]);
    expect(new Set(picks.map((pick) => pick.portBase)).size).toBe(3);
    for (const pick of picks) pick.release();
  });
});
