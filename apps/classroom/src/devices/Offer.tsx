import { Mic, Video } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { usePart } from '../app/context.js';
import { OwnDevices } from './own-devices.js';
import type { Device } from '../media/devices.js';

interface OfferProps {
  device: Device;
  title: string;
  text: string;
  onClose: () => void;
}

/** Asks the participant to turn on a device, on behalf of another person or the host page. Only the button turns it on. */
export function Offer({ device, title, text, onClose }: OfferProps) {
  const { t } = useTranslation();
  const devices = usePart(OwnDevices);
  const Icon = device === 'camera' ? Video : Mic;
  const accept = () => {
    onClose();
    void devices.set(device, true);
  };
  return (
    <section className="offer" aria-label={title}>
      <p>
        <strong>{title}</strong>
        <br />
        <span className="quiet">{text}</span>
      </p>
      <div className="offer-actions">
        <button type="button" className="button" onClick={onClose}>
          {t('offer.later')}
        </button>
        <button type="button" className="button primary" data-action="accept" onClick={accept}>
          <Icon aria-hidden />
          {t(`offer.${device}`)}
        </button>
      </div>
    </section>
  );
}
