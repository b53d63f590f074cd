import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Printer } from '../output/printer.js';

/** Declares a command with the examples that end its help. @param examples without `vc` */
export function declare(parent: Command, usage: string, description: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ vc ${example}`);
  return parent
    .command(usage)
    .description(description)
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** A group of commands, such as `rooms`. */
export const group = (parent: Command, name: string, description: string): Command => parent.command(name).description(description);

/** An option with fixed values, in upper or lower case. */
export const choice = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values).argParser((text) => {
    const value = values.find((it) => it.toLowerCase() === text.toLowerCase());
    if (value === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`);
    return value;
  });

export const ROLES = ['TEACHER', 'STUDENT', 'MODERATOR', 'ADMIN'] as const;
export type Role = (typeof ROLES)[number];

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

export function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

export function parseSequence(text: string): string {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be the sequence of an event: 0, 1, 2 …');
  return text;
}

export const parseList = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '');

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time in ISO 8601, or how long ago it was: `90s`, `30m`, `2h`, `7d`. @returns ISO 8601 in UTC */
export function parseTime(text: string, now = Date.now()): string {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = amount === undefined ? Date.parse(text) : now - Number(amount) * UNITS[unit as keyof typeof UNITS];
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It must be a time such as 2026-01-15T10:00:00Z, or how long ago: 30m, 2h, 7d.');
  return new Date(ms).toISOString();
}

/** How long: `90s`, `45m`, `2h`, `30d`. @returns milliseconds */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('It must be how long: 90s, 45m, 2h, 30d.');
  return Number(amount) * UNITS[unit as keyof typeof UNITS];
}

/** What a list command shows. */
export interface Extent {
  limit: number;
  all?: boolean;
}

const DEFAULT_LIMIT = 20;

/** Adds `--limit` and `--all`. */
export const paged = (command: Command): Command =>
  command
    .option('--limit <count>', 'how many to show at most', parseCount, DEFAULT_LIMIT)
    .option('--all', 'show all of them, however many there are');

/** How many to request at once: an answer has at most 100. */
export const pageSize = ({ limit, all }: Extent): number => (all ? 100 : Math.min(limit, 100));

/** The beginning of a list, as far as it is to be shown. A remark says if there is more. */
export async function take<T>(source: AsyncIterable<T>, { limit, all }: Extent, print: Printer): Promise<T[]> {
  const rows: T[] = [];
  for await (const row of source) {
    if (!all && rows.length === limit) {
      print.note(`There are more than ${limit}: use --limit or --all.`);
      break;
    }
    rows.push(row);
  }
  return rows;
}
