/** Counts uploads in progress, and bounds those of the process and of each organization. */
export class UploadSlots {
  private readonly byOrganization = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: { total: number; perOrganization: number }) {}

  /** @returns a function that gives the slot back; undefined if there is none */
  take(organizationId: string): (() => void) | undefined {
    const own = this.byOrganization.get(organizationId) ?? 0;
    if (this.total >= this.limits.total || own >= this.limits.perOrganization) return undefined;
    this.count(organizationId, 1);
    return () => this.count(organizationId, -1);
  }

  private count(organizationId: string, change: 1 | -1): void {
    const own = (this.byOrganization.get(organizationId) ?? 0) + change;
    this.total += change;
    if (own === 0) this.byOrganization.delete(organizationId);
    else this.byOrganization.set(organizationId, own);
  }
}
