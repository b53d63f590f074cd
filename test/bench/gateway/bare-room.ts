// The minimum that a room service must do: one prepared select by key; for a join also one upsert and a token.
import { connect } from '@nats-io/transport-node';
import { natsOptions } from '../../../tools/stack/index.ts';
import { AccessToken } from 'livekit-server-sdk';
import { Pool } from 'pg';

const { NATS_URL, DATABASE_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = process.env;
const POOL = 10;

const pool = new Pool({ connectionString: DATABASE_URL, max: POOL });

interface Key {
  organizationId: string;
  roomId: string;
}

async function select({ organizationId, roomId }: Key) {
  const { rows } = await pool.query({
    name: 'bare-status',
    text: `SELECT sid, room_id AS "roomId", title, state, participant_count AS "participantCount", has_teacher AS "hasTeacher",
                  is_recording AS "isRecording", created_at AS "createdAt", started_at AS "startedAt"
             FROM rooms WHERE organization_id = $1 AND room_id = $2 AND state <> 'abandoned'`,
    values: [organizationId, roomId],
  });
  return rows[0];
}

interface Join extends Key {
  participant: { uid: string; name: string; role: string };
}

/** As in the service, an unchanged row is not written: a commit would cost more than everything else. */
async function join(input: Join) {
  const { sid } = await select(input);
  const { uid, name, role } = input.participant;
  await pool.query({
    name: 'bare-join',
    text: `INSERT INTO participants (sid, uid, name, role) VALUES ($1, $2, $3, $4)
           ON CONFLICT (sid, uid) DO UPDATE SET name = $3, role = $4
             WHERE (participants.name, participants.role) IS DISTINCT FROM ($3, $4)`,
    values: [sid, uid, name, role],
  });
  const token = new AccessToken(LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { identity: uid, name, ttl: 3600, attributes: { role } });
  token.addGrant({ room: sid, roomJoin: true, canSubscribe: true });
  return { token: await token.toJwt() };
}

async function main() {
  const nats = await connect({ ...natsOptions(NATS_URL ?? ''), noAsyncTraces: true });
  const answer = (subject: string, work: (input: Join) => Promise<unknown>) =>
    nats.subscribe(subject, {
      queue: 'bare',
      callback: (_, message) => void work(message.json()).then((reply) => message.respond(JSON.stringify(reply))),
    });
  answer('bare.status', select);
  answer('bare.join', join);
  await nats.flush();
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

void main();
