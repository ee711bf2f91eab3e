import type { FirstRunDocument, MtaStsDocument, PartitionDocument, WorkerDocument } from "../documents.ts";
import type { ProcessDocument, SchemaDocument } from "../schema-store.ts";
import { type StoredSecret, sealedSecrets } from "../sealing/sealed-secret.ts";
import { EXPIRES, ID_ONLY, type Manifest } from "./manifest.ts";

export interface InstallationDocuments {
  readonly installation: FirstRunDocument;
  readonly schema: SchemaDocument;
  readonly partitions: PartitionDocument;
  readonly workers: WorkerDocument;
  readonly processes: ProcessDocument;
  readonly secrets: StoredSecret;
  readonly mtaStsPolicies: MtaStsDocument;
}

export const installationManifest = {
  installation: { owner: "installation", indexes: [ID_ONLY], audited: {} },
  schema: { owner: "installation", indexes: [ID_ONLY], audited: {} },
  partitions: { owner: "installation", indexes: [ID_ONLY], audited: {} },
  workers: {
    owner: "installation",
    indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: 3600 }],
    audited: {},
  },
  processes: {
    owner: "installation",
    indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: 3600 }],
    audited: {},
  },
  secrets: { owner: "installation", indexes: [ID_ONLY], audited: {}, sealed: sealedSecrets },
  mtaStsPolicies: { owner: "installation", indexes: [EXPIRES], audited: {} },
} as const satisfies Manifest<InstallationDocuments>;
