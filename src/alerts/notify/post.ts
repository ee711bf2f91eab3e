import type { Incident, Notice } from "../incident.ts";
import type { Digest } from "../notification-limit.ts";

/** Facts about a request to an alert target. */
interface Post {
  readonly accountId: string;
  /** Id of the notice, the same in each attempt. */
  readonly eventId: string;
  /** Time zone for times. */
  readonly zone: string;
  /** The request is a sample, which a member has requested. */
  readonly isTest?: boolean;
}

/** A notice of an incident for an alert target. */
export interface NoticePostView extends Post {
  readonly incident: Incident;
  readonly notice: Notice;
  /** Address of the incident's page; undefined: there is none. */
  readonly link: string | undefined;
}

/** A digest for an alert target. */
export interface DigestPostView extends Post {
  readonly ruleName: string;
  readonly digest: Digest;
  /** Address of an incident's page; undefined: there is none. */
  readonly linkOf: (incidentId: string) => string | undefined;
}

/** Composes the JSON bodies of requests to targets of one kind. The same view always results in the same body. */
export interface ComposePost {
  notice(view: NoticePostView): unknown;
  digest(view: DigestPostView): unknown;
}
