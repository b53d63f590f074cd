import { sign, verify, type KeyObject } from 'node:crypto';
import { isOperation, rightsOf, type Right, type RpcContract } from '@classroom/contracts';
import { atMost, ed25519PrivateKey, ed25519PublicKey } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** Header of a call: the gateway's signed statement of who caused it. Services pass it on with the calls that they make for it. */
export const CALLER_HEADER = 'caller';
/** Header of an HTTP request that the gateway passes on to a service: the gateway's statement that it did. */
export const GATEWAY_HEADER = 'x-gateway';
/** Who called, in the gateway's statement about itself. It is in no call of RPC, and no organization has this id. */
const GATEWAY: SignedCaller = { organizationId: '-', rights: ['gateway'] };
/**
 * How long a statement is accepted, in milliseconds: the minute in which the gateway uses it, and one for clocks that differ and the calls that a service makes for
 * the same request, which it makes in the first half minute.
 */
const VALID_MS = 2 * 60_000;
/** How long the gateway uses a statement before it signs the next one, in milliseconds. */
const USED_MS = 60_000;
const MAX_ENTRIES = 20_000;
/** Callers without a credential that the gateway could state. */
const PUBLIC: readonly Right[] = ['none', 'livekit'];

export interface SignedCaller {
  /** Undefined for operators, who may call for any organization. */
  organizationId?: string | undefined;
  /** Scopes of the API key; or the kind of another caller (`EndpointAuth`). `organization` includes all scopes. */
  rights: readonly string[];
}

/** A verified statement. `until` is in milliseconds since 1970. */
interface Verified {
  caller: SignedCaller;
  until: number;
}

/**
 * Signs statements of callers with an Ed25519 key (PKCS 8, DER, base64). One statement serves all calls of the same organization with the same
 * rights for a minute. It is text: `<expiry> <organization> <rights> <signature>`, as short as possible, because every call carries it.
 */
export class CallerSigner {
  private readonly signed = new LRUCache<string, string>({ ...atMost(MAX_ENTRIES), ttl: USED_MS });
  private readonly key: KeyObject;

  constructor(key: string) {
    this.key = ed25519PrivateKey('CALLER_SIGNING_KEY', key);
  }

  sign({ organizationId = '', rights }: SignedCaller): string {
    const name = `${organizationId} ${rights.join()}`;
    const known = this.signed.get(name);
    if (known !== undefined) return known;
    const text = `${Date.now() + VALID_MS} ${name}`;
    const token = `${text} ${sign(null, Buffer.from(text), this.key).toString('base64url')}`;
    this.signed.set(name, token);
    return token;
  }

  /** @returns the value of GATEWAY_HEADER */
  signOwn(): string {
    return this.sign(GATEWAY);
  }
}

/** Decides whether a call may be answered, by the statement of its caller. */
export class CallerVerifier {
  private readonly keys: KeyObject[];
  private readonly verified = new LRUCache<string, Verified>(atMost(MAX_ENTRIES));

  /** @param keys public Ed25519 keys of the gateway (SPKI, DER, base64). Without any, every call is answered that NATS lets through. */
  constructor(keys: readonly string[]) {
    this.keys = keys.map((key) => ed25519PublicKey('CALLER_PUBLIC_KEYS', key));
  }

  /**
   * @param organizationId the organization that the call is for, if it is for one
   * @returns why the caller may not make the call, for the log; undefined if they may
   */
  problemOf(contract: RpcContract, organizationId: string | undefined, token: string | undefined): string | undefined {
    if (this.keys.length === 0) return undefined;
    return problemOf(token ? this.callerOf(token) : undefined, callOf(contract), organizationId);
  }

  /** @returns whether the gateway passed on a request with this GATEWAY_HEADER; false without a key to verify it with */
  isFromGateway(token: unknown): boolean {
    return typeof token === 'string' && this.callerOf(token)?.organizationId === GATEWAY.organizationId;
  }

  private callerOf(token: string): SignedCaller | undefined {
    const known = this.verified.get(token) ?? this.verify(token);
    return known && known.until > Date.now() ? known.caller : undefined;
  }

  private verify(token: string): Verified | undefined {
    const end = token.lastIndexOf(' ');
    const text = token.slice(0, Math.max(end, 0));
    const signature = Buffer.from(token.slice(end + 1), 'base64url');
    if (!this.keys.some((key) => verify(null, Buffer.from(text), key, signature))) return undefined;
    const [until, organizationId, rights = ''] = text.split(' ');
    const verified = { caller: { organizationId: organizationId || undefined, rights: rights.split(',') }, until: Number(until) };
    this.verified.set(token, verified);
    return verified;
  }
}

function problemOf(caller: SignedCaller | undefined, call: Call, of: string | undefined): string | undefined {
  if (!caller) return call.needsCaller ? 'no valid statement' : undefined;
  if (caller.organizationId !== undefined && of !== undefined && caller.organizationId !== of) return 'another organization';
  return call.rights.size === 0 || caller.rights.some((right) => call.rights.has(right)) ? undefined : 'missing right';
}

/** What a call requires of the statement. */
interface Call {
  /** The call is never made in background work. */
  needsCaller: boolean;
  /** The rights that each suffice. None: any does. */
  rights: ReadonlySet<string>;
}

/** By subject. */
const calls = new Map<string, Call>();

function callOf(contract: RpcContract): Call {
  const { subject } = contract;
  const call = calls.get(subject) ?? requirementsOf(contract);
  calls.set(subject, call);
  return call;
}

function requirementsOf(contract: RpcContract): Call {
  const { callers, needsCaller, input } = contract;
  const isEndpoint = isOperation(contract);
  const rights: ReadonlySet<string> = isEndpoint ? rightsOf(contract) : new Set();
  // Another service passes on the statement of any caller whose request it answers.
  if (callers.some((app) => app !== 'gateway')) return { needsCaller: needsCaller ?? false, rights: new Set() };
  if (PUBLIC.some((auth) => rights.has(auth))) return { needsCaller: false, rights: new Set() };
  const namesOrganization = input instanceof z.ZodObject && ('organizationId' in input.shape || 'caller' in input.shape);
  return { needsCaller: needsCaller ?? (isEndpoint || namesOrganization), rights };
}
