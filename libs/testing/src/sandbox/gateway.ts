/** The API of operators. */
export class Gateway {
  constructor(
    private readonly url: string,
    private readonly dispatchSecret: string,
  ) {}

  /** Creates an organization that pays a cent for a credit, each month. @returns its credential, and where it is valid */
  async newOrganization({ name, cycleStartDate }: { name: string; cycleStartDate: string }): Promise<{ url: string; credential: string }> {
    const billing = { type: 'POSTPAID', billingFrequency: 'MONTHLY', cycleStartDate, creditRate: 0.01, currency: 'USD' };
    const response = await fetch(`${this.url}/v1/admin/organizations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Dispatch-Secret': this.dispatchSecret },
      body: JSON.stringify({ name, billing }),
    });
    const answer = (await response.json()) as { message?: string; data: { organizationId: string } };
    if (!response.ok) throw new Error(`The organization was not created: ${answer.message}`);
    return { url: this.url, credential: answer.data.organizationId };
  }
}
