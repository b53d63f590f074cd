/** The pseudonym of a person in one class. */
export interface Pseudonym {
  sid: string;
  uid: string;
  alias: string;
}
