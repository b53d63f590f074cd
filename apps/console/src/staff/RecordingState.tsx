import type { Recording } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { Badge } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

/** What became of a recording, and until when its file is there. */
export function RecordingState({ recording: { status, availableUntil } }: { recording: Recording }) {
  const { t } = useTranslation();
  const { near } = useFormat();
  const isGone = status === 'COMPLETED' && Boolean(availableUntil) && Date.parse(availableUntil ?? '') <= Date.now();
  return (
    <>
      <Badge kind={isGone ? 'plain' : status.toLowerCase()}>{t(isGone ? 'recording.gone' : `recording.statuses.${status}`)}</Badge>
      {availableUntil && <span>{t(isGone ? 'recording.goneSince' : 'recording.availableUntil', { time: near(availableUntil) })}</span>}
    </>
  );
}
