import * as library from '@classroom/contracts';
import { compareVersions } from '../stack/context.ts';
import { contractChanges } from './contract-changes.ts';
import { type Contracts, listContracts } from './list-contracts.ts';
import { lastRelease, releasedContracts } from './released.ts';

/** Not structuredClone: its objects belong to another realm than jest's. */
const clone = (it: any) => JSON.parse(JSON.stringify(it));

const present = listContracts(library);
const release = { version: '1.0.0', retired: {} };
/** Fields of any type, whose type therefore can't change. */
const UNTYPED = ['rpc.recorder.capture.describe.v1 reply egressInfo', 'eventEnvelope reply data'];

const changed = (change: (contracts: any) => void, of: Contracts = present) => {
  const copy = clone(of);
  change(copy);
  return copy;
};
const changesAfter = (change: (contracts: any) => void, retired = {}) => contractChanges(present, changed(change), { ...release, retired });

describe('the contracts', () => {
  test('can be read by the last release, and still read it', () => {
    expect(contractChanges(releasedContracts(), present, lastRelease())).toEqual([]);
  });

  test('are all listed', () => {
    const declared = Object.values(library).flatMap((it) => (it && typeof it === 'object' ? [it, ...Object.values(it)] : []));
    const count = (mark: string) => new Set(declared.flatMap((it) => it?.[mark] ?? [])).size;
    const services = new Set(Object.keys(present.rpc).map((subject) => subject.split('.')[1]));
    expect(Object.keys(present.rpc)).toHaveLength(count('subject') + services.size);
    expect(Object.keys(present.http)).toHaveLength(count('operationId'));
    expect(Object.keys(present.events)).toHaveLength(count('subjectPrefix'));
    expect(Object.keys(present.jobs)).toHaveLength(count('queue'));
    for (const kind of Object.values(present)) expect(Object.keys(kind).length).toBeGreaterThan(0);
  });
});

describe('the comparison', () => {
  test('finds every contract that was removed', () => {
    const unnoticed = Object.entries(present).flatMap(([kind, contracts]) =>
      Object.entries(contracts).filter(
        ([name, it]) => !contractChanges(only(kind, { [name]: it }), only(kind, {}), release)[0]?.startsWith(`${name}: is gone. `),
      ),
    );
    expect(unnoticed).toEqual([]);
  });

  test('finds every field of every answer and fact that was removed', () => {
    expect(
      missedMutants(
        (schema, key) => {
          delete schema.properties[key];
          schema.required = schema.required?.filter((it: string) => it !== key);
        },
        ['reply', 'response', 'data'],
      ),
    ).toEqual([]);
  });

  test('finds every changed type of a field of an answer or fact', () => {
    expect(
      missedMutants(
        (schema, key) => {
          schema.properties[key] = { type: 'mutant' };
        },
        ['reply', 'response', 'data'],
      ),
    ).toEqual(UNTYPED);
  });

  test('finds a new required field at every place of every request', () => {
    expect(
      missedMutants(
        (schema) => {
          schema.properties.mutant = { type: 'string' };
          schema.required = [...(schema.required ?? []), 'mutant'];
        },
        ['request', 'params', 'query', 'body'],
      ),
    ).toEqual([]);
  });

  test('finds every field of every request that is no longer read', () => {
    expect(
      missedMutants(
        (schema, key) => {
          delete schema.properties[key];
          schema.required = schema.required?.filter((it: string) => it !== key);
        },
        ['request', 'params', 'query', 'body'],
      ),
    ).toEqual([]);
  });

  test.each([
    [
      'an endpoint with other authentication',
      (it: any) => {
        it.http['POST /v1/room/create'].auth = 'dispatch';
      },
      'POST /v1/room/create: auth other authentication',
    ],
    [
      'an endpoint with a smaller body limit',
      (it: any) => {
        it.http['POST /v1/room/create'].bodyLimit = 1;
      },
      'POST /v1/room/create: bodyLimit a smaller body',
    ],
    [
      'an endpoint that requires a plan',
      (it: any) => {
        it.http['GET /v1/health/status'].requiresPlan = true;
      },
      'GET /v1/health/status: requiresPlan wants a billing plan',
    ],
    [
      'an endpoint that no longer answers as before',
      (it: any) => {
        it.http['POST /v1/room/create'].produces = ['text/csv'];
      },
      'POST /v1/room/create: produces no longer answers in a media type',
    ],
    [
      'a code of another kind',
      (it: any) => {
        it.errors.ROOM_FULL.kind = 'gone';
      },
      'ROOM_FULL: kind another kind',
    ],
    [
      'a stream with fewer subjects',
      (it: any) => {
        it.streams.EVENTS.subjects = ['evt.room.>'];
      },
      'EVENTS: subjects no longer takes a subject',
    ],
    [
      'a consumer with fewer subjects',
      (it: any) => {
        it.consumers['billing-fold'].subjects.pop();
      },
      'billing-fold: subjects no longer hears',
    ],
    [
      'a fact with a field that new readers require and old facts lack',
      (it: any) => {
        const { data, readAs } = it.events['evt.room.room.created.v1'];
        for (const schema of [data, readAs]) {
          schema.properties.note = { type: 'string' };
          schema.required.push('note');
        }
      },
      'evt.room.room.created.v1: data.note is new and required',
    ],
    [
      'a job with a field that new workers require and old jobs lack',
      (it: any) => {
        const { data, readAs } = it.jobs.transcoding;
        for (const schema of [data, readAs]) {
          schema.properties.preset = { type: 'string' };
          schema.required.push('preset');
        }
      },
      'transcoding: data.preset is new and required',
    ],
  ])('finds %s', (_, change, message) => {
    expect(changesAfter(change)).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    [
      'a second version next to the first',
      (it: any) => {
        it.events['evt.room.room.created.v2'] = { type: 'room.created.v2', data: {}, readAs: {} };
      },
    ],
    [
      'a new endpoint',
      (it: any) => {
        it.http['GET /v1/new'] = it.http['GET /v1/health/status'];
      },
    ],
    [
      'a new code',
      (it: any) => {
        it.errors.NEW = { kind: 'gone' };
      },
    ],
    [
      'a consumer with more subjects',
      (it: any) => {
        it.consumers['billing-fold'].subjects.push('evt.ai.>');
      },
    ],
    [
      'a fact with a new field that readers do not require',
      (it: any) => {
        const { data, readAs } = it.events['evt.room.room.created.v1'];
        for (const schema of [data, readAs]) schema.properties.note = { type: 'string' };
        data.required.push('note');
      },
    ],
  ])('accepts %s', (_, change) => {
    expect(changesAfter(change)).toEqual([]);
  });

  test('accepts the removal of a contract that the last release does not use, and no earlier', () => {
    const remove = (it: any) => delete it.rpc['rpc.room.room.end.v1'];
    expect(changesAfter(remove, { 'rpc.room.room.end.v1': '1.0.0' })).toEqual([]);
    expect(changesAfter(remove, { 'rpc.room.room.end.v1': '1.0.1' })).toHaveLength(1);
    expect(compareVersions('0.10.0', '0.9.1')).toBeGreaterThan(0);
  });

  test('reports the contract, the place, the old value, the new one, and what to do', () => {
    const [message] = changesAfter((it) => {
      it.rpc['rpc.room.room.join.v1'].request.properties.participant.properties.uid.type = 'number';
    });
    expect(message).toBe(
      'rpc.room.room.join.v1: request.participant.uid another type (was "string", is "number"). ' +
        'Make it optional and leave what was as it is, or add rpc.room.room.join.v2 next to it.',
    );
  });
});

const only = (kind: string, contracts: Record<string, any>): any => ({
  ...Object.fromEntries(Object.keys(present).map((other) => [other, {}])),
  [kind]: contracts,
});

/** Changes one field after the other in each part with that name. @returns the changes that the comparison did not detect */
function missedMutants(mutate: (schema: any, key: string) => void, parts: string[]): string[] {
  const missed = [];
  let count = 0;
  for (const [kind, contracts] of Object.entries(present)) {
    for (const [name, contract] of Object.entries(contracts)) {
      for (const [part, schema] of Object.entries(contract).filter(([part]) => parts.includes(part))) {
        for (const { at, key } of fieldsOf(schema)) {
          const mutant = clone(contract);
          mutate(
            at.reduce((it, step) => it[step], mutant[part]),
            key,
          );
          count += 1;
          if (contractChanges(only(kind, { [name]: contract }), only(kind, { [name]: mutant }), release).length === 0)
            missed.push([name, part, ...at, key].join(' '));
        }
      }
    }
  }
  expect(count).toBeGreaterThan(50);
  return missed;
}

/** @returns every property, with the path to the object that contains it */
function fieldsOf(schema: any, at: string[] = []): { at: string[]; key: string }[] {
  if (schema === null || typeof schema !== 'object') return [];
  const own = Object.keys(schema.properties ?? {}).map((key) => ({ at, key }));
  const below = Object.entries(schema.properties ?? {}).flatMap(([key, it]) => fieldsOf(it, [...at, 'properties', key]));
  const members = ['anyOf', 'oneOf'].flatMap((union) =>
    (schema[union] ?? []).flatMap((it: any, index: number) => fieldsOf(it, [...at, union, String(index)])),
  );
  const inside = ['items', 'additionalProperties'].flatMap((step) => fieldsOf(schema[step], [...at, step]));
  return [...own, ...below, ...members, ...inside];
}
