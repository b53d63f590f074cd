import { useEffect, useState } from 'react';
import { useClassroom } from '../app/context.js';
import type { I18nText } from '../app/app-store.js';
import { useTranslation } from '../i18n/index.js';

/** How long the page connects, in milliseconds, before it says that this is long. */
const LONG_MS = 5_000;

/** In place of the stage while the page opens the class or connects to it. */
export function Connecting({ text }: { text: I18nText }) {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="class-line" role="status">
      <span className="spinner" aria-hidden />
      <p>{t(text.key, text.values ?? {})}</p>
      {isLong && (
        <>
          <p>{t('connecting.long')}</p>
          {text.key === 'connecting.opening' && (
            <button type="button" className="button" data-action="open-again" onClick={() => void classroom.openSession()}>
              {t('connecting.again')}
            </button>
          )}
        </>
      )}
    </div>
  );
}
