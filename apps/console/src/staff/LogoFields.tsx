import { ApiError } from '@classroom/page/api-error';
import { useId, useRef, useState } from 'react';
import type { Branding } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Problem } from '../parts/SettingsForm.js';

/** Branding as it is edited. */
export interface Draft extends Branding {
  /** A picture that was chosen and is not uploaded yet, as a `data:` address. */
  file?: string | null;
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const MAX_BYTES = 1024 ** 2;
const UPLOADED = 'upload:';

/** Where the page shows the logo: what was chosen, or what is saved. An address that was typed is shown once it is saved. */
export function shownLogo({ file, logoUrl }: Draft, saved: Branding): string | undefined {
  if (file) return file;
  // The page loads pictures from its own origin only.
  return saved.servedLogoUrl && logoUrl === saved.logoUrl ? new URL(saved.servedLogoUrl).pathname : undefined;
}

interface LogoFieldsProps {
  shown: Draft;
  set(change: Partial<Draft>): void;
  saved: Branding;
  error: unknown;
  isOwner: boolean;
}

/** The logo: a file, or an address. One replaces the other. */
export function LogoFields({ shown, set, saved, error, isOwner }: LogoFieldsProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<'logoTooLarge' | 'logoType'>();
  const id = useId();
  const problemOf = (path: string) => (error instanceof ApiError ? error.detail(path) : undefined);
  const [ofFile, ofAddress] = [refused ? t(`branding.${refused}`) : problemOf('logo'), problemOf('logoUrl')];
  const isUploaded = shown.logoUrl?.startsWith(UPLOADED) ?? false;
  /** A file that is refused keeps the form from being sent. */
  const refuse = (problem: typeof refused) => {
    setRefused(problem);
    input.current?.setCustomValidity(problem ? t(`branding.${problem}`) : '');
  };
  const clear = () => {
    refuse(undefined);
    if (input.current) input.current.value = '';
  };
  const choose = async (file: File | undefined) => {
    const problem = file && (!TYPES.includes(file.type) ? 'logoType' : file.size > MAX_BYTES ? 'logoTooLarge' : undefined);
    const read = file && !problem ? await dataUrlOf(file).catch(() => null) : null;
    refuse(problem ?? (file && read === null ? 'logoType' : undefined));
    set({ file: read, logoUrl: saved.logoUrl });
  };
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-file`}>{t('branding.logo')}</label>
        <input
          ref={input}
          id={`${id}-file`}
          type="file"
          accept={TYPES.join()}
          disabled={!isOwner}
          aria-invalid={ofFile !== undefined}
          aria-describedby={ofFile && `${id}-file-problem`}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
        <Problem id={`${id}-file-problem`} text={ofFile} isTranslated={refused !== undefined} />
        {isUploaded && !shown.file && <span className="quiet small">{t('branding.logoUploaded')}</span>}
        {isOwner && (shown.file ?? shown.logoUrl) && (
          <button
            type="button"
            className="button"
            data-action="remove-logo"
            onClick={() => {
              clear();
              set({ file: null, logoUrl: null });
              input.current?.focus();
            }}
          >
            {t('branding.logoRemove')}
          </button>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-address`}>{t('branding.logoUrl')}</label>
        <input
          id={`${id}-address`}
          type="url"
          maxLength={2048}
          placeholder="https://"
          disabled={!isOwner}
          aria-invalid={ofAddress !== undefined}
          aria-describedby={ofAddress && `${id}-address-problem`}
          value={isUploaded || shown.file ? '' : (shown.logoUrl ?? '')}
          onChange={({ target }) => {
            clear();
            set({ file: null, logoUrl: target.value || null });
          }}
        />
        <Problem id={`${id}-address-problem`} text={ofAddress} />
      </div>
    </>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')));
    reader.readAsDataURL(file);
  });
}
