import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPO } from '../deploy/support/programs.js';
import { blocksOf, shellBlocks, where } from './support/blocks.js';

const { APPS } = require('../../tools/stack/apps') as { APPS: { name: string }[] };
const { derivePortBase, layOut } = require('../../tools/stack/ports') as {
  derivePortBase(gatewayPort: number): number;
  layOut(base: number, apps: string[]): { parts: Record<string, number>; probes: Record<string, number> };
};

const { parts } = layOut(
  derivePortBase(8080),
  APPS.map(({ name }) => name),
);

describe('the guide for one machine', () => {
  const page = 'docs/guides/one-machine.md';

  it('makes nginx pass on to the ports of GATEWAY_PORT 8080, and the firewall open those of LiveKit', () => {
    const [nginx] = blocksOf(page, 'nginx');
    const ports = [...(nginx?.text ?? '').matchAll(/proxy_pass http:\/\/127\.0\.0\.1:(\d+);/g)].map(([, port]) => Number(port));
    expect(ports).toEqual([8080, parts['livekit'], parts['s3']]);
    const opened = [...readFileSync(join(REPO, page), 'utf8').matchAll(/^\| (\d+)\/(udp|tcp) \| LiveKit/gm)].map(([, port, protocol]) => [
      protocol,
      Number(port),
    ]);
    expect(opened).toEqual([
      ['udp', parts['livekitUdp']],
      ['tcp', parts['livekitTcp']],
    ]);
  });

  it('has an nginx configuration with closed blocks, and a server for each name in the settings', () => {
    const nginx = blocksOf(page, 'nginx')[0]?.text ?? '';
    expect(nginx.match(/\{/g)).toHaveLength(nginx.match(/\}/g)?.length ?? 0);
    const names = [...(blocksOf(page, 'ini')[0]?.text ?? '').matchAll(/^\w+=(?:https|wss):\/\/(.+)$/gm)].map(([, name]) => name);
    expect([...nginx.matchAll(/server_name (.+);/g)].map(([, name]) => name)).toEqual(names);
  });
});

describe('a text that a page searches for in logs', () => {
  const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: REPO })
    .filter((file) => !file.includes('.spec.'))
    .map((file) => readFileSync(join(REPO, file), 'utf8'))
    .join('\n');
  /** A message of LiveKit, and a pattern that matches every log line. */
  const OTHERS = ['sent webhook', '"level":"(warn|error)"'];

  it('is logged by the code', () => {
    const phrases = shellBlocks.flatMap((block) =>
      [...block.text.matchAll(/^\s*(?:logs|kubectl .* logs) [^|\n]*\| grep (?:-[a-zA-Z]+ )?'([^']+)'/gm)]
        .flatMap(([, text = '']) => (OTHERS.includes(text) ? [] : text.split('|')))
        .map((phrase) => ({ at: where(block), phrase: phrase.replaceAll('"', '') })),
    );
    expect(phrases.length).toBeGreaterThan(10);
    expect(phrases.filter(({ phrase }) => !sources.includes(phrase))).toEqual([]);
  });
});
