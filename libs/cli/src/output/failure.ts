import { ConnectionError, VirtualClassroomError } from '@virtual-classroom/sdk';
import { CommandError } from '../io.js';
import { plain } from './text.js';

/** What is known about the call that failed. */
export interface Attempted {
  command: string;
  url?: string | undefined;
  /** The credential by its source, such as `API key of VC_API_KEY`. */
  credential?: string | undefined;
  /** Values that no message may contain. */
  secrets: readonly string[];
}

/** A failure as the user reads it. */
export interface Failure {
  message: string;
  /** What to do next. */
  next: string;
  code?: string;
  status?: number;
  requestId?: string;
  details?: readonly { path: string; message: string }[];
}

const SERVICE_ERROR = 500;

/** Describes what failed and what to do next. */
export function describeFailure(error: unknown, attempted: Attempted): Failure {
  const failure = failureOf(error, attempted);
  const clean = (text: string) => attempted.secrets.reduce((all, secret) => all.replaceAll(secret, '…'), text);
  return { ...failure, message: clean(failure.message), next: clean(failure.next) };
}

function failureOf(error: unknown, attempted: Attempted): Failure {
  if (error instanceof CommandError) return { message: error.message, next: error.next };
  if (error instanceof VirtualClassroomError) {
    const { code, status, requestId, details } = error;
    return {
      message: status === 401 ? `The service refused the ${attempted.credential ?? 'credential'}` : error.message,
      next: nextAfter(error, attempted),
      code,
      status,
      ...(requestId ? { requestId } : {}),
      // Those of a 401 name headers, which the command sends by itself.
      ...(details.length > 0 && status !== 401 ? { details } : {}),
    };
  }
  if (error instanceof ConnectionError || (error instanceof TypeError && error.message === 'fetch failed')) {
    const reason = reasonOf(error);
    return {
      message: `No answer from ${attempted.url ?? 'the service'}${reason ? `: ${reason}` : ''}`,
      next: `Check the address and the network, then run: vc health`,
    };
  }
  return { message: error instanceof Error ? error.message : String(error), next: `Run: vc ${attempted.command} --help` };
}

function nextAfter({ code, status, requestId, retryAfterMs }: VirtualClassroomError, { command, url, credential }: Attempted): string {
  if (status === 401) return `Check that it is for ${url} and neither expired nor revoked, or store another one with: vc login`;
  if (status === 403)
    return `Use a credential that may do this instead of the ${credential ?? 'present one'}: --api-key, --credential or --profile.`;
  if (code === 'VALIDATION_FAILED') return `Correct what is named, see: vc ${command} --help`;
  if (code === 'ROOM_ENDED') return 'Create another room with: vc rooms create. The id of a class that has ended cannot be used again.';
  if (status === 404) return 'Check the id and the profile: another organization’s objects are not found either.';
  if (status === 429) return `Wait ${Math.ceil((retryAfterMs ?? 60_000) / 1000)} s, then repeat the command.`;
  if (status >= SERVICE_ERROR)
    return `Run: vc health. If the service is healthy, report the request id ${requestId ?? ''} to its operator.`;
  return `See: vc ${command} --help`;
}

/** The innermost cause has the reason of a failed connection. */
function reasonOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  const { code, message } = innermost as Error & { code?: string };
  return message || code || '';
}

/** The failure as text: what failed, its details, and what to do next. */
export function textOf({ message, next, code, status, requestId, details = [] }: Failure): string {
  const origin = [code, status && `HTTP ${status}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  const lines = [
    `Error: ${plain(message)}${origin ? ` (${origin})` : ''}`,
    // The message may say the only one already.
    ...(details.length === 1 ? details.filter((detail) => !message.includes(detail.message)) : details).map(
      (detail) => `  ${plain(detail.path)}: ${plain(detail.message)}`,
    ),
    plain(next),
  ];
  return `${lines.join('\n')}\n`;
}
