import { useTranslation } from '../i18n/index.js';

/** What will be here, and where the first step is described. */
export function FirstStep({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <>
      {text}{' '}
      <a href="/docs/" target="_blank" rel="noreferrer">
        {t('apiReference')}
      </a>
    </>
  );
}
