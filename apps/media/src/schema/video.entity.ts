import type { VideoStatus } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export interface Rendition {
  /** Pixels of the picture; 0 for audio only. */
  width: number;
  height: number;
  /** Maximum bits per second of video and audio together. */
  bandwidth: number;
  codecs: string;
  /** Path of the variant's playlist below the attempt's prefix. */
  playlist: string;
}

/** The output of a finished attempt. Paths are relative to `attemptPrefixOf`. */
export interface TranscodingResult {
  type: 'hls' | 'mp4';
  /** `master.m3u8`, or the name of the single file. */
  entry: string;
  /** Duration of the output in seconds. */
  duration: number;
  /** Size of all its files. */
  bytes: number;
  hasVideo: boolean;
  hasAudio: boolean;
  renditions: Rendition[];
  poster: string | null;
}

/** One video. The row is deleted after its objects. */
@Entity('videos')
export class VideoEntity {
  @PrimaryColumn('text') videoId!: string;
  @Column('text') organizationId!: string;
  @Column('text') title!: string;
  @Column('text') fileName!: string;
  @Column('text') contentType!: string;
  @Column('text') playback!: 'hls' | 'mp4';
  /** Size of the source in bytes. */
  @Column('bigint') size!: number;
  /** uploading (`pending` to callers) → pending → processing → completed or failed. */
  @Column('text') status!: 'uploading' | VideoStatus;
  @Column('integer') progress!: number;
  @Column('text', { nullable: true }) message!: string | null;
  /** Unguessable. Anyone who knows it may continue the upload and do nothing else. */
  @Column('text', { nullable: true }) uploadId!: string | null;
  /** When the upload expires. For a deleted video: when its objects are deleted for the second time. */
  @Column('timestamptz', { nullable: true }) uploadExpiresAt!: Date | null;
  /** The recording that was published as this video; a recording is published once. */
  @Column('text', { nullable: true }) recordingId!: string | null;
  /** Each attempt writes under its own prefix; only the one named here is played. */
  @Column('integer') attempt!: number;
  @Column('timestamptz', { nullable: true }) attemptedAt!: Date | null;
  /** When a worker may begin an attempt, or replace one whose worker died; null if there is nothing to do. */
  @Column('timestamptz', { nullable: true }) transcodeAt!: Date | null;
  /** The output of the finished attempt. */
  @Column('json', { nullable: true }) result!: TranscodingResult | null;
  @Column('integer', { nullable: true }) duration!: number | null;
  /** Bytes of that output. */
  @Column('bigint') outputBytes!: number;
  @Column('bigint') captionBytes!: number;
  /** What counts for the organization's minutes; null before the first transcoding. */
  @Column('integer', { nullable: true }) countedSeconds!: number | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
  /** Trace of the request that brought the last byte; the transcoding links to it. */
  @Column('text', { nullable: true }) trace!: string | null;
}
