import type { AnyClasses } from "../audit/classes.ts";
import type { SealedFields } from "../sealing/sealing.ts";
import { type AccountDocuments, accountManifest } from "./accounts.ts";
import { type AlertDocuments, alertManifest } from "./alerts.ts";
import { type AuditDocuments, auditManifest } from "./audits.ts";
import { type CounterDocuments, counterManifest } from "./counters.ts";
import { type EventLogDocuments, eventLogManifest } from "./event-log.ts";
import { type HeartbeatDocuments, heartbeatManifest } from "./heartbeats.ts";
import { type InstallationDocuments, installationManifest } from "./installation.ts";
import { type JobDocuments, jobManifest } from "./jobs.ts";
import { type KeyDocuments, keyManifest } from "./keys.ts";
import type { Deletion, Manifest, Walk } from "./manifest.ts";
import { type MessageDocuments, messageManifest } from "./messages.ts";
import { type OncallDocuments, oncallManifest } from "./oncalls.ts";
import { type PolicyDocuments, policyManifest } from "./policies.ts";
import { type PrivacyDocuments, privacyManifest } from "./privacy.ts";
import { type ReportDocuments, reportManifest } from "./reports.ts";
import { type RequestDocuments, requestManifest } from "./requests.ts";
import { type SenderDocuments, senderManifest } from "./senders.ts";
import { type SuppressionDocuments, suppressionManifest } from "./suppressions.ts";
import { type TargetDocuments, targetManifest } from "./targets.ts";
import { type TemplateDocuments, templateManifest } from "./templates.ts";
import { type UserDocuments, userManifest } from "./users.ts";
import { type WatchDocuments, watchManifest } from "./watches.ts";
import { type WebhookDocuments, webhookManifest } from "./webhooks.ts";

/** Every collection, in the order in which a deletion empties those of an account. */
const manifests = {
  ...accountManifest,
  ...keyManifest,
  ...userManifest,
  ...senderManifest,
  ...policyManifest,
  ...templateManifest,
  ...suppressionManifest,
  ...privacyManifest,
  ...messageManifest,
  ...requestManifest,
  ...jobManifest,
  ...counterManifest,
  ...webhookManifest,
  // They raise alerts.
  ...heartbeatManifest,
  ...alertManifest,
  ...targetManifest,
  ...oncallManifest,
  ...watchManifest,
  ...reportManifest,
  ...eventLogManifest,
  ...auditManifest,
  ...installationManifest,
};

interface Documents
  extends AccountDocuments,
    KeyDocuments,
    UserDocuments,
    SenderDocuments,
    PolicyDocuments,
    TemplateDocuments,
    SuppressionDocuments,
    PrivacyDocuments,
    MessageDocuments,
    RequestDocuments,
    JobDocuments,
    CounterDocuments,
    WebhookDocuments,
    AlertDocuments,
    TargetDocuments,
    OncallDocuments,
    HeartbeatDocuments,
    WatchDocuments,
    ReportDocuments,
    EventLogDocuments,
    AuditDocuments,
    InstallationDocuments {}

type Manifests = typeof manifests;
/** Names of collections with `Fields` in their manifest. */
type With<Fields> = { [C in keyof Manifests]: Manifests[C] extends Fields ? C : never }[keyof Manifests];

export type AccountCollection = With<{ readonly deletion: Deletion }>;
/** Collections that an export reads. */
export type WalkedCollection = With<{ readonly export: { readonly by: unknown } }>;
/** A document in an export: without secrets. */
export type WalkedDocument<C extends WalkedCollection> = Manifests[C]["export"] extends {
  readonly without: readonly (infer Field extends string)[];
}
  ? Omit<Documents[C], Field>
  : Documents[C];

/** How an export reads a collection. */
export const walkOf = (name: WalkedCollection): Walk => manifests[name].export;

/** Kinds of targets in the audit log that have fields. */
export type AuditedKind = { [C in keyof Manifests]: KindsOf<Manifests[C]> }[keyof Manifests];
type KindsOf<M> =
  | (M extends { readonly audited: infer Kinds } ? keyof Kinds & string : never)
  | (M extends { readonly auditedInPart: infer Kinds } ? keyof Kinds & string : never);

export const collections: Manifest<Documents> = manifests;

type Named = readonly [name: keyof Manifests, manifest: Manifest<Documents>[keyof Manifests]];
const named = Object.entries(manifests) as unknown as readonly Named[];

/** Collections that have documents of accounts. */
export const accountCollections: readonly AccountCollection[] = named.flatMap(([name, manifest]) =>
  "deletion" in manifest ? [name as AccountCollection] : [],
);

export function deletedCollections(deletion: Deletion): readonly AccountCollection[] {
  return accountCollections.filter((name) => manifests[name].deletion === deletion);
}

/** Classes of fields by kind of target. */
export const auditedFields: Readonly<Record<AuditedKind, AnyClasses>> = Object.assign(
  {},
  ...named.flatMap(([, { audited, auditedInPart }]) => [audited, auditedInPart]),
);

type NamesOf<M> = M extends { readonly named: infer Names } ? (names: Names) => void : never;
type Names = NamesOf<Manifests[keyof Manifests]> extends (names: infer All) => void ? All : never;
/** Kinds of targets with names in their documents. */
export type NamedKind = keyof Names & AuditedKind;
/** The fields of a document that form its name. */
export type NamedDocument<K extends NamedKind> = (Names[K] extends (document: infer D) => unknown
  ? D
  : never) & { readonly _id: string };

/** Names of targets by kind. */
export const auditedNames: Names = Object.assign({}, ...named.map(([, manifest]) => manifest.named));

export interface SealedCollection extends SealedFields {
  readonly name: string;
}

/** Collections with encrypted fields, in the order of processing. */
export const sealedCollections: readonly SealedCollection[] = named
  .flatMap(([name, { sealed }]) => (sealed ? [{ name, ...sealed }] : []))
  .toSorted((a, b) => a.turn - b.turn);
