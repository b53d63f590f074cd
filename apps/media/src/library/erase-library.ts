import { Injectable } from '@nestjs/common';
import { erasureRpc, type ErasureOutcome, type ErasureRequest } from '@classroom/contracts';
import { applyErasure, eraseOrganization, Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { EraseVideos } from '../erasure/erase-videos.js';
import { VideosRepository } from '../videos/videos.repository.js';

/** Deletes the videos of an organization. Those of a person or a class are deleted by the backend, which knows their ids. */
@Injectable()
export class EraseLibrary {
  constructor(
    private readonly database: Database,
    private readonly videos: VideosRepository,
    private readonly eraseVideos: EraseVideos,
    private readonly clock: Clock,
  ) {}

  /** A row disappears when all objects of its video are deleted. */
  @Handles(erasureRpc.media)
  async execute(request: ErasureRequest): Promise<ErasureOutcome> {
    if (!('organization' in request.subject)) return { isComplete: true, counts: {} };
    const { organizationId } = request;
    const outcome = await applyErasure(this.database, request, async (tx) => ({
      isComplete: false,
      counts: { videos: await this.videos.markAllDeleted(tx, organizationId, this.clock.now()) },
    }));
    this.eraseVideos.wake();
    if (outcome.isComplete || (await this.videos.hasAny(organizationId))) return outcome;
    return eraseOrganization(this.database, request);
  }
}
