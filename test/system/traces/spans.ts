/** A span as the local stack writes it. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
  name: string;
  kind: 'INTERNAL' | 'SERVER' | 'CLIENT' | 'PRODUCER' | 'CONSUMER';
  attributes: Record<string, string | number>;
  status: { code: string; message?: string };
  events: unknown[];
  links: { traceId: string; spanId: string }[];
}

/** Whether a span is the step `<service> <name>` of a story. */
const isStep = (step: string) => (span: Span) => `${span.service} ${span.name}` === step;

/** All spans of a class. */
export class Traces {
  private readonly children = new Map<string, Span[]>();
  private readonly byId = new Map<string, Span>();

  constructor(readonly all: readonly Span[]) {
    for (const span of all) {
      this.byId.set(`${span.traceId} ${span.spanId}`, span);
      const parent = `${span.traceId} ${span.parentSpanId}`;
      this.children.set(parent, [...(this.children.get(parent) ?? []), span]);
    }
  }

  of(traceId: string): Span[] {
    return this.all.filter((span) => span.traceId === traceId);
  }

  /** Spans whose parent was never written. */
  get orphans(): Span[] {
    return this.all.filter((span) => span.parentSpanId !== undefined && !this.parentOf(span));
  }

  parentOf({ traceId, parentSpanId }: Span): Span | undefined {
    return this.byId.get(`${traceId} ${parentSpanId}`);
  }

  /**
   * Checks how much of a chain exists: `gateway POST /a → room rpc.b ↪ room process c`. After → follows a descendant of the previous step
   * in the same trace, at any depth. After ↪ follows a span of another trace that links to it.
   * @returns the steps that were found
   */
  follow(begin: readonly Span[], chain: string): string {
    const [first = '', ...rest] = chain.split(/ (?=[→↪] )/);
    let here = begin.filter(isStep(first));
    const found = here.length > 0 ? [first] : [];
    for (const part of rest) {
      if (here.length === 0) break;
      const next = part.startsWith('→') ? here.flatMap((span) => this.below(span)) : this.later(here);
      here = next.filter(isStep(part.slice(2)));
      if (here.length > 0) found.push(part);
    }
    return found.join(' ');
  }

  private below({ traceId, spanId }: Span): Span[] {
    const children = this.children.get(`${traceId} ${spanId}`) ?? [];
    return [...children, ...children.flatMap((child) => this.below(child))];
  }

  private later(here: readonly Span[]): Span[] {
    const traces = new Set(here.map((span) => span.traceId));
    return this.all.filter(({ links }) => links.some(({ traceId }) => traces.has(traceId)));
  }
}
