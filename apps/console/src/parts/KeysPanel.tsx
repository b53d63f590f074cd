import { Confirm } from '@classroom/page/Dialog';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { KeyLine } from './KeyLine.js';
import { Empty, Failure, Loaded } from './Loaded.js';
import { NewKeyForm, type NewKey } from './NewKeyForm.js';
import { Panel } from './Page.js';
import { ShownOnce } from './ShownOnce.js';

interface KeysPanelProps {
  keys: UseQueryResult<ApiKey[]>;
  /** Reads the keys again after a change. */
  refresh(): Promise<void>;
  create(key: NewKey): Promise<{ keyId: string; secret: string }>;
  revoke(keyId: string): Promise<unknown>;
  note: string;
  /** What is shown in place of an empty list. */
  none: string;
  hasDetails?: boolean;
}

/** The API keys of an organization: what each may do and when it was used, a form for another one, and a question before one is revoked. */
export function KeysPanel({ keys, refresh, note, none, hasDetails = false, ...calls }: KeysPanelProps) {
  const { t } = useTranslation();
  const [revoking, setRevoking] = useState<ApiKey>();
  const create = useMutation({ mutationFn: calls.create, onSuccess: refresh });
  const revoke = useMutation({ mutationFn: calls.revoke, onSuccess: refresh });
  const failure = create.error ?? revoke.error;
  return (
    <Panel title={t('apiKeys.title')} note={note}>
      <Loaded of={keys}>
        {(list) =>
          list.length === 0 ? (
            <Empty>{none}</Empty>
          ) : (
            <ul className="lines">
              {list.map((key) => (
                <KeyLine key={key.keyId} apiKey={key} revoke={() => setRevoking(key)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewKeyForm create={create.mutate} isPending={create.isPending} created={create.data?.keyId} />
      {create.data && <ShownOnce text={t('apiKeys.shownOnce')} value={create.data.secret} />}
      {failure && <Failure error={failure} hasDetails={hasDetails} />}
      {revoking && (
        <Confirm
          title={t('apiKeys.revokeTitle', { name: revoking.name })}
          text={t('apiKeys.revokeText')}
          confirmLabel={t('operator.revoke')}
          cancelLabel={t('cancel')}
          action="confirm-revoke-key"
          onConfirm={() => revoke.mutate(revoking.keyId)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Panel>
  );
}
