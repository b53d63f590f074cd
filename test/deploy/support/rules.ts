import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml, REPO } from './programs.js';

export const ALERTS = join(REPO, 'deploy', 'helm', 'virtual-classroom', 'files', 'alerts');
export const TESTS = join(REPO, 'test', 'deploy', 'alerts');

export interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[];
}

export const yamlIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(folder, name));

async function read<T>(files: string[]): Promise<T[]> {
  const found: T[] = [];
  for (const file of files) {
    const { documents, errors } = await readYaml<T>(readFileSync(file, 'utf8'));
    if (errors.length > 0) throw new Error(`${file}: ${errors.join('\n')}`);
    found.push(...documents);
  }
  return found;
}

export async function readRules(): Promise<Rule[]> {
  const files = await read<{ groups: { rules: Rule[] }[] }>(yamlIn(ALERTS));
  return files.flatMap(({ groups }) => groups).flatMap(({ rules }) => rules);
}

export async function readRuleTests(): Promise<RuleTest[]> {
  return (await read<{ tests: RuleTest[] }>(yamlIn(TESTS))).flatMap(({ tests }) => tests);
}
