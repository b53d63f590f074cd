import { connectionsConfig } from '@classroom/http';
import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig, outboundConfig } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

const schema = baseConfig
  .extend(persistenceConfig.shape)
  .extend(storageConfig.shape)
  .extend(connectionsConfig.shape)
  .extend(outboundConfig.shape)
  .extend({
    /** Address on which the port for uploads and playback listens. */
    MEDIA_HOST: z.string().default('0.0.0.0'),
    /** Port for uploads and playback. Their bytes never travel over NATS. */
    MEDIA_PORT: z.coerce.number().int().min(0).max(65_535).default(8090),
    /**
     * Addresses or networks (comma separated) of the gateways and proxies that pass requests on, whose X-Forwarded-For is trusted, and to which
     * MAX_CONNECTIONS_PER_ADDRESS does not apply. Default: loopback and private addresses.
     */
    TRUSTED_PROXIES: z
      .string()
      .default('loopback,linklocal,uniquelocal')
      .transform((value) => value.split(',').map((part) => part.trim())),
    /** Public URL of this service: upload and playback addresses begin with it. */
    MEDIA_URL: z.url(),
    /** Public URL of the class page. Its origin may play and upload, as may the origins of verified domains. */
    CLASSROOM_URL: z.url().optional(),
    /** Keys that sign addresses, `<id>:<secret>,…`; a secret has at least 32 characters. The first key signs, all are accepted. */
    MEDIA_SIGNING_KEYS: z
      .string()
      .regex(
        /^[a-z0-9]{1,16}:[^,:]{32,}(,[a-z0-9]{1,16}:[^,:]{32,})*$/,
        'must be <id>:<secret of at least 32 characters>, comma separated',
      ),
    /** Redis for the job queues. It must not evict keys and must use an append-only file. */
    REDIS_URL: z.string().min(1),
    /**
     * Folders that are searched for programs: pdftocairo of poppler, version 22.02 or newer, with pdfinfo and pdftotext in its folder, rsvg-convert of librsvg, and
     * those configured without a folder.
     */
    PATH: z.string().default(''),
    /** The ffmpeg program, version 5.0 or newer. ffprobe, which inspects sources, is in its folder. */
    FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
    /** The soffice program of LibreOffice, for presentations in PPTX and ODP. Without it, such documents are refused. */
    SOFFICE_PATH: z.string().min(1).default('soffice'),
    /** Folder for the files that a worker is processing. It belongs to one worker, which deletes what an earlier one left there. */
    MEDIA_WORK_HOME: z.string().min(1),
    /** Number of videos that this process transcodes in parallel; they share its cores. */
    TRANSCODING_SLOTS: count(1),
    /** Seconds after which a video or a document is given to another worker if its worker has not renewed the lease. */
    TRANSCODING_LEASE_SECONDS: count(60),
    /** Requests per minute from one address; each process counts for itself. A whole school may share an address, and a viewer loads a file every few seconds. */
    OPEN_REQUESTS_PER_MINUTE: count(120_000),
    /**
     * GiB that the videos and documents of one organization may occupy: uploads with the size that they declare, and the files that are made of them. An
     * operator sets another value with `quotas.videoGib` of the organization.
     */
    VIDEO_GIB_PER_ORGANIZATION: z.coerce.number().int().min(0).default(1_000),
    /**
     * Minutes of videos of one organization that are transcoded in a calendar month (UTC). An operator sets another value with `quotas.videoMinutes` of the
     * organization.
     */
    VIDEO_MINUTES_PER_MONTH: z.coerce.number().int().min(0).default(20_000),
  });
export type MediaConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
