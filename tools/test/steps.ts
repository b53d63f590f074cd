import path from 'node:path';
import { REPO } from '../stack/context.ts';

const bin = (name: string) => path.join(REPO, 'node_modules', '.bin', name);

export type Need = 'installed' | 'built' | 'parts';

export interface Step {
  name: string;
  /** Preparations that must have succeeded before the step can run. */
  needs: Need[];
  /** Run in this order. Without commands the step is the jest project of its name. */
  commands?: [file: string, ...args: string[]][];
  /** Part of `npm run test:all` alone. */
  isLong?: true;
}

/** In the order in which they run: the fast steps first. */
export const STEPS: Step[] = [
  {
    name: 'lint',
    commands: [
      [bin('oxfmt'), '--check'],
      [bin('oxlint'), '--type-aware'],
    ],
    needs: ['installed'],
  },
  // The benchmarks import the built libraries.
  {
    name: 'types',
    commands: ['.', 'tools', 'docs', 'test/bench'].map((project) => [bin('tsc'), '-p', project]),
    needs: ['installed', 'built'],
  },
  { name: 'unit', needs: ['installed'] },
  // Needs the machine for itself, as each step with commands has.
  {
    name: 'bench',
    commands: [[process.execPath, path.join(REPO, 'test', 'bench', 'check.ts')]],
    needs: ['installed', 'built', 'parts'],
    isLong: true,
  },
  // Obtains its own tools with Go and pip.
  { name: 'deploy', needs: ['installed', 'built'] },
  { name: 'integration', needs: ['installed', 'built', 'parts'] },
  { name: 'system', needs: ['installed', 'built', 'parts'] },
  // Obtains Schemathesis with pip.
  { name: 'reference', needs: ['installed', 'built', 'parts'] },
  { name: 'chaos', needs: ['installed', 'built', 'parts'] },
  // Installs and builds the last release. tools/contracts compares all contracts, statements and migrations with it in every run.
  { name: 'upgrade', needs: ['installed', 'built', 'parts'], isLong: true },
  // The long form clones, installs and builds again, as a new user would.
  { name: 'docs', needs: ['installed', 'parts'] },
];
