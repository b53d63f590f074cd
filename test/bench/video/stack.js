'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFile } = require('node:child_process');
const { createHash, randomBytes } = require('node:crypto');
const { setTimeout: sleep } = require('node:timers/promises');
const { promisify } = require('node:util');
const { Bucket, TestStack } = require('@classroom/testing');

const ORGANIZATION = 'org_video_bench';
const PATIENCE_MS = 20 * 60_000;
const TRACING = { CLOCK: 'system', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };

/** @param {string} videoId */
const prefixOf = (videoId) => `videos/${createHash('sha256').update(ORGANIZATION).digest('hex').slice(0, 24)}/${videoId}/`;

/** A running stack with one organization, and films to put into it; `stop` ends it, and is safe to call at any time. */
class BenchStack {
  constructor() {
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-video-bench-'));
  }

  async start() {
    this.stack = await TestStack.start({ apps: ['organization', 'room', 'gateway', 'media'], env: { all: TRACING } });
    this.bucket = Bucket.of(this.stack);
    this.media = `http://127.0.0.1:${this.stack.ports.parts.media}`;
    const billing = { type: 'PREPAID', credits: 1_000, creditRate: 0.01, currency: 'USD' };
    const body = { organizationId: ORGANIZATION, name: 'A school', billing };
    await this.call('POST', '/v1/admin/organizations', body, { 'X-Dispatch-Secret': this.stack.secrets.dispatchSecret });
  }

  /** @param {string} method @param {string} address @param {object} [body] @param {Record<string, string>} [headers] @returns {Promise<any>} data */
  async call(method, address, body, headers = { 'VF-ORG-ID': ORGANIZATION }) {
    const response = await fetch(`${this.stack.urls.gateway}${address}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address} was answered ${response.status}: ${text}`);
    return JSON.parse(text).data;
  }

  /** A film that moves everywhere, as no class does: 1080p with sound. @param {number} seconds @returns {Promise<string>} its file */
  async film(seconds) {
    const file = path.join(this.home, `film-${seconds}.mp4`);
    if (fs.existsSync(file)) return file;
    const picture = ['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=30:d=${seconds}`, '-f', 'lavfi', '-i', `sine=d=${seconds}`];
    const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '6M', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-ac', '2'];
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...picture, ...coded, file]);
    return file;
  }

  /** As an upload leaves it: its source in the bucket, its row waiting. @param {string} file @param {'hls' | 'mp4'} playback @returns {Promise<string>} */
  async waiting(file, playback) {
    const videoId = `vid_${randomBytes(10).toString('hex')}`;
    const bytes = fs.readFileSync(file);
    await this.bucket.put(`${prefixOf(videoId)}source`, bytes, 'video/mp4');
    await this.stack.rows(
      `INSERT INTO media.videos (video_id, organization_id, title, file_name, content_type, playback, size, status, transcode_at, created_at)
       VALUES ($1, $2, 'A film', 'film.mp4', 'video/mp4', $3, $4, 'pending', now() - interval '1 second', now())`,
      [videoId, ORGANIZATION, playback, bytes.length],
    );
    return videoId;
  }

  /** As the transcoder leaves a single file. @param {Buffer} bytes @returns {Promise<string>} its video */
  async single(bytes) {
    const videoId = `vid_${randomBytes(10).toString('hex')}`;
    const result = { type: 'mp4', entry: 'file.mp4', duration: 60, hasVideo: true, hasAudio: true, renditions: [], poster: null };
    await this.bucket.put(`${prefixOf(videoId)}1/${result.entry}`, bytes, 'video/mp4');
    await this.stack.rows(
      `INSERT INTO media.videos (video_id, organization_id, title, file_name, content_type, playback, size, status, attempt, result, duration, created_at, attempted_at, completed_at)
       VALUES ($1, $2, 'A film', 'film.mp4', 'video/mp4', 'mp4', $3, 'completed', 1, $4, 60, now(), now(), now())`,
      [videoId, ORGANIZATION, bytes.length, JSON.stringify(result)],
    );
    return videoId;
  }

  /** @param {string} videoId @returns {Promise<{ seconds: number }>} between the worker's beginning and its end */
  async completed(videoId) {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(100)) {
      const [row] = await this.stack.rows(
        `SELECT status, message, extract(epoch FROM completed_at - attempted_at)::float8 AS seconds FROM media.videos WHERE video_id = $1`,
        [videoId],
      );
      if (row.status === 'failed') throw new Error(`the video failed: ${row.message}`);
      if (row.status === 'completed') return row;
    }
    throw new Error('the video was not done in time');
  }

  async stop() {
    const { stack } = this;
    this.stack = undefined;
    await stack?.stop();
    fs.rmSync(this.home, { recursive: true, force: true });
  }
}

module.exports = { BenchStack };
