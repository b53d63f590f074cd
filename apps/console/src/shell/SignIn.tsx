import { Link } from '@tanstack/react-router';
import { useTranslation } from '../i18n/index.js';
import { Page } from '../parts/Page.js';

export function SignIn() {
  const { t } = useTranslation();
  return (
    <div className="gate">
      <div className="card">
        <Page title={t('signIn.title')}>
          <p>{t('signIn.text')}</p>
          <p className="quiet">{t('signIn.expiry')}</p>
          <Link to="/operator" className="button">
            {t('signIn.operator')}
          </Link>
        </Page>
      </div>
    </div>
  );
}
