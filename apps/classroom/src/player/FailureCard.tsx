import { CircleX, Clock, Link2Off, MonitorX, RotateCcw, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { usePlayerContext } from './player.js';
import type { Failure } from './failure.js';

const ICONS: Record<Failure, LucideIcon> = {
  'no-link': Link2Off,
  expired: Link2Off,
  missing: Clock,
  unsupported: MonitorX,
  failed: CircleX,
};
const RETRYABLE: readonly Failure[] = ['missing', 'failed'];

export function FailureCard({ failure }: { failure: Failure }) {
  const { player, texts, title } = usePlayerContext();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [failure]);
  const Icon = ICONS[failure];
  return (
    <section className="failure">
      <div className="failure-card">
        <span className="failure-icon">
          <Icon aria-hidden />
        </span>
        <h1 ref={heading} tabIndex={-1}>
          {texts.failures[failure].title}
        </h1>
        <p className="quiet">{texts.failures[failure].text}</p>
        {RETRYABLE.includes(failure) && (
          <button type="button" className="button primary" data-action="again" onClick={() => void player.load()}>
            <RotateCcw aria-hidden />
            {texts.again}
          </button>
        )}
        {title && <p className="failure-video">{title}</p>}
      </div>
    </section>
  );
}
