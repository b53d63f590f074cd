import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { download } from '../api/client.js';
import { useTranslation } from '../i18n/index.js';
import { Failure } from './Loaded.js';

/** Saves a CSV file. Excel recognizes its mark as UTF-8. @param query of the list, without what asks for the file */
export function CsvButton({ path, query, name }: { path: string; query?: Record<string, string | undefined>; name: string }) {
  const { t } = useTranslation();
  const file = useMutation({
    mutationFn: () => {
      const given = Object.entries(query ?? {}).flatMap(([key, value]) => (value ? [[key, value]] : []));
      return download(`${path}?${new URLSearchParams([...given, ['export', 'csv'], ['bom', 'true']])}`, name);
    },
  });
  return (
    <>
      <button type="button" className="button" data-action="csv" disabled={file.isPending} onClick={() => file.mutate()}>
        <Download aria-hidden />
        {t('csv')}
      </button>
      {file.error && <Failure error={file.error} />}
    </>
  );
}
