// Classes with a method `execute`: only the class's name says what the method does.
import { readFileSync } from 'node:fs';
import { sourcesOf } from './folders.ts';
import { withoutComments } from './sources.ts';

/** First words of a use case's name. */
const VERBS = new Set(
  [
    'Add Advance Answer Apply Ask Authenticate Authorize Change Charge Close Commit Convert Copy Count Create Deliver Delete Download End Ensure Enter Erase Evaluate Explain',
    'Export Finalize Find Finish Fold Get Hold Issue Join List Locate Merge Open Pause Post Pseudonymize Publish Read Reconcile Record Release Resume Roll Settle Set',
    'Start Stop Summarize Transcode Update Verify Write',
  ].flatMap((line) => line.split(' ')),
);
const CLASS = /^(?:export )?(?:default )?(?:abstract )?class (\w+)/gm;
const EXECUTE = /^ +(?:(?:public|protected|private|override) )*(?:async )?\*?execute\s*[(<]/m;
const FIRST_WORD = /^[A-Z][a-z]*/;

interface DeclaredClass {
  name: string;
  hasExecute: boolean;
}

function classesIn(file: string): DeclaredClass[] {
  const text = withoutComments(readFileSync(file, 'utf8'));
  const found = [...text.matchAll(CLASS)];
  return found.map(({ 1: name = '', index }, at) => ({ name, hasExecute: EXECUTE.test(text.slice(index, found[at + 1]?.index)) }));
}

/** @returns names of classes in the folders that have a method `execute` and whose name does not begin with a verb, or is not unique */
export function unclearUseCases(folders: readonly string[]): string[] {
  const classes = folders.flatMap(sourcesOf).flatMap(classesIn);
  const isUnclear = ({ name }: DeclaredClass) =>
    !VERBS.has(FIRST_WORD.exec(name)?.[0] ?? '') || classes.filter((one) => one.name === name).length > 1;
  return classes.filter((one) => one.hasExecute && isUnclear(one)).map(({ name }) => name);
}
