import type { Inhibition, Silence } from "../../alerts/mutes.ts";
import type { AuditedKind } from "../collections/collections.ts";
import type { DomainKeyDocument, KeyDocument, SenderDocument, SessionDocument } from "../documents.ts";
import type { IntelReportDocument } from "../intel-documents.ts";
import type { JobDocument } from "../job-documents.ts";
import type { QuarantineDocument } from "../message-documents.ts";
import type { IdentityDocument, InvitationDocument, PasskeyDocument } from "../user-documents.ts";
import type { WebhookEndpointDocument } from "../webhook-documents.ts";

/** How an audit entry names a resource. */
export interface AuditedName {
  readonly name: string;
  /** The user whose own list has the entry, too. */
  readonly userId?: string;
}

interface Named {
  readonly name: string;
}

const byName = ({ name }: Named): AuditedName => ({ name });
const unnamed = (_document: object): AuditedName => ({ name: "" });

/** Names of the resources whose documents say them. Entries of other kinds are named where they are written. */
export const auditedNames = {
  account: byName,
  alert_rule: byName,
  client: byName,
  domain: byName,
  domain_key: ({ selector, domain }: DomainKeyDocument) => ({ name: `${selector}._domainkey.${domain}` }),
  erasure: unnamed,
  identity: ({ issuer, userId }: IdentityDocument) => ({ name: issuer, userId }),
  inhibition: ({ name }: Inhibition) => ({ name }),
  invitation: ({ email }: InvitationDocument) => ({ name: email }),
  job: ({ kind }: JobDocument) => ({ name: kind }),
  key: ({ name, prefix }: KeyDocument) => ({ name: name || prefix }),
  passkey: ({ name, userId }: PasskeyDocument) => ({ name, userId }),
  policy: byName,
  quarantined: ({ subject = "" }: QuarantineDocument) => ({ name: subject }),
  queue_hold: ({ _id }: { readonly _id: string }) => ({ name: _id }),
  report: ({ scope }: IntelReportDocument) => ({ name: scope.name }),
  retention: unnamed,
  schedule: byName,
  sender: ({ value }: SenderDocument) => ({ name: value }),
  session: ({ email, userId }: SessionDocument) => ({ name: email, userId }),
  silence: ({ comment }: Silence) => ({ name: comment }),
  suppression: ({ address }: { readonly address: string }) => ({ name: address }),
  template: byName,
  template_draft: byName,
  user: ({ _id, email }: { readonly _id: string; readonly email: string }) => ({ name: email, userId: _id }),
  watched_domain: byName,
  webhook: ({ url }: Pick<WebhookEndpointDocument, "url">) => ({ name: url }),
  workspace: byName,
} as const satisfies { readonly [K in AuditedKind]?: (document: never) => AuditedName };

export type NamedKind = keyof typeof auditedNames;

/** What a document of a kind has to have, for its name. */
export type NamedDocument<K extends NamedKind> = Parameters<(typeof auditedNames)[K]>[0] & {
  readonly _id: string;
};
