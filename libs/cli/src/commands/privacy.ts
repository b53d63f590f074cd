import type { Body, DataExport, Erasure } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import { type Destination, openUrl, saveFile, saving } from '../output/save-file.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { declare, group } from './declare.js';
import { waitFor } from './wait.js';

interface Subject {
  uid?: string;
  room?: string;
  organization?: boolean;
}

type Counts = { service: string; count: number }[];

export function addPrivacy(program: Command, session: Session): void {
  const privacy = group(program, 'privacy', 'personal data: erase it, or export it');
  const subject = (command: Command) =>
    command
      .option('--uid <uid>', 'of a participant, in all classes')
      .option('--room <roomId>', 'of a class, with everyone in it')
      .option('--organization', 'of the whole organization')
      .option('--no-wait', 'do not wait for the result');

  subject(
    declare(privacy, 'erase', 'erase personal data and wait for the receipt; this cannot be undone', [
      'privacy erase --uid student-731',
      'privacy erase --room algebra-1 --yes --json > receipt.json',
    ]),
  )
    .option('--yes', 'do not ask whether to erase')
    .action(async ({ wait, yes, ...given }: Subject & { wait: boolean; yes?: boolean }) => {
      const { body, name } = subjectOf(given);
      const { privacy: api } = session.client();
      if (!yes) await confirm(session, name);
      const { erasureId } = await api.erase(body);
      session.print.note(`Requested ${erasureId}. Ctrl-C ends the wait, not the erasure: see vc privacy show ${erasureId}`);
      // That of an organization begins days later.
      const isDone = ({ status, beginsAt }: Erasure) => !wait || status === 'COMPLETED' || (status === 'PENDING' && Boolean(beginsAt));
      showErasure(session, await waitFor({ ask: () => api.erasure(erasureId), isDone, describe }, session.print));
    });

  saving(
    subject(
      declare(privacy, 'export', 'collect personal data in a ZIP file and download it', [
        'privacy export --uid student-731',
        'privacy export --organization --out exports',
      ]),
    ),
  ).action(async ({ wait, out, force, ...given }: Subject & Destination & { wait: boolean }) => {
    const { body } = subjectOf(given);
    const { privacy: api } = session.client();
    const requested = await api.export(body);
    const { exportId } = requested;
    session.print.note(`Requested ${exportId}. Ctrl-C ends the wait, not the export: continue with vc privacy download ${exportId}`);
    if (wait) await saveExport(session, exportId, { out, force });
    else showExport(session, requested);
  });

  declare(privacy, 'show', 'show an erasure or an export', [
    'privacy show era_8Lm2Np5Qr8Sv1Tg4Jk7x',
    'privacy show exp_8Lm2Np5Qr8Sv1Tg4Jk7x --json',
  ])
    .argument('<id>', 'id of the erasure or the export')
    .action(async (id: string) => {
      const { privacy: api } = session.client();
      if (id.startsWith('exp_')) showExport(session, await api.getExport(id));
      else showErasure(session, await api.erasure(id));
    });

  declare(privacy, 'cancel', 'cancel the erasure of the organization before it begins', ['privacy cancel era_8Lm2Np5Qr8Sv1Tg4Jk7x'])
    .argument('<erasureId>', 'id of the erasure')
    .action(async (erasureId: string) => {
      const cancelled = await session.client().privacy.cancelErasure(erasureId);
      session.print.record(cancelled, { Erasure: cancelled.erasureId, Cancelled: time(cancelled.cancelledAt) });
    });

  saving(declare(privacy, 'download', 'wait for an export and download it', ['privacy download exp_8Lm2Np5Qr8Sv1Tg4Jk7x']))
    .argument('<exportId>', 'id of the export')
    .action((exportId: string, destination: Destination) => saveExport(session, exportId, destination));
}

/** @throws CommandError unless exactly one is given */
function subjectOf({ uid, room, organization }: Subject): { body: Body<'createErasure'>; name: string } {
  const given = [uid, room, organization].filter((it) => it !== undefined);
  if (given.length !== 1) throw new CommandError('Whose data is not clear', 'Give one of --uid, --room and --organization.');
  if (uid !== undefined) return { body: { uid }, name: uid };
  if (room !== undefined) return { body: { roomId: room }, name: room };
  return { body: { organization: true }, name: 'the organization' };
}

/** @throws CommandError unless the user types the name */
async function confirm({ io }: Session, name: string): Promise<void> {
  if (!io.isInteractive) throw new CommandError('An erasure cannot be undone', 'Repeat the command with --yes.');
  const answer = await io.ask(`This cannot be undone. To erase all data of ${name}, type ${name}: `);
  if (answer.trim() !== name) throw new CommandError(`The answer is not ${name}: nothing was erased`, 'Run the command again.');
}

const describe = ({ waitingFor }: Erasure | DataExport): string =>
  `Waiting for ${waitingFor.length > 0 ? waitingFor.join(', ') : 'the result'} …`;

async function saveExport(session: Session, exportId: string, destination: Destination): Promise<void> {
  const { privacy: api } = session.client();
  const isDone = ({ status }: DataExport) => status === 'COMPLETED';
  const done = await waitFor({ ask: () => api.getExport(exportId), isDone, describe }, session.print);
  const { downloadUrl, sha256 } = done;
  if (downloadUrl === null) throw new CommandError(`${exportId} has no file`, `See: vc privacy show ${exportId}`);
  const filename = `${exportId}.zip`;
  const { file } = await saveFile({ filename, open: () => openUrl(downloadUrl, filename), sha256 }, destination);
  session.print.record({ ...done, file }, { ...exportFields(done), File: file });
}

const exportFields = (one: DataExport) => ({
  Export: one.exportId,
  Status: one.status,
  'Waiting for': one.waitingFor,
  Requested: time(one.requestedAt),
  Completed: time(one.completedAt),
  'Available until': time(one.availableUntil),
  Records: byService(one.stores ?? []),
  Bytes: one.bytes,
  'SHA-256': one.sha256,
});

const showExport = ({ print }: Session, one: DataExport): void => print.record(one, exportFields(one));

const showErasure = ({ print }: Session, erasure: Erasure): void =>
  print.record(erasure, {
    Erasure: erasure.erasureId,
    Status: erasure.status,
    'Waiting for': erasure.waitingFor,
    Requested: time(erasure.requestedAt),
    Begins: time(erasure.beginsAt),
    Completed: time(erasure.receipt?.completedAt),
    Erased: byService(erasure.receipt?.stores ?? []),
    'Copies until': (erasure.receipt?.remaining ?? []).map(({ store, until }) => `${store} ${until ? time(until) : 'unknown'}`),
  });

/** `room 12, billing 3` */
function byService(stores: Counts): string[] {
  const sums = new Map<string, number>();
  for (const { service, count } of stores) sums.set(service, (sums.get(service) ?? 0) + count);
  return [...sums].filter(([, count]) => count > 0).map(([service, count]) => `${service} ${count}`);
}
