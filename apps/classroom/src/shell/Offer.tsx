import type { ReactNode } from 'react';

interface OfferProps {
  label: string;
  title: string;
  text: string;
  later: string;
  accept: ReactNode;
  /** For tests and the styles of a host. */
  action: string;
  onLater: () => void;
  onAccept: () => void;
}

/** Asks the participant to turn on a device, on behalf of another person or the host page. Only the button turns it on. */
export function Offer({ label, title, text, later, accept, action, onLater, onAccept }: OfferProps) {
  return (
    <section className="offer" aria-label={label}>
      <p>
        <strong>{title}</strong>
        <br />
        <span className="quiet">{text}</span>
      </p>
      <div className="offer-actions">
        <button type="button" className="button" onClick={onLater}>
          {later}
        </button>
        <button type="button" className="button primary" data-action={action} onClick={onAccept}>
          {accept}
        </button>
      </div>
    </section>
  );
}
