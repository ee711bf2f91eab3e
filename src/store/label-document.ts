import type { Binary } from "mongodb";

/** Logo of a label: a PNG that Hermod has written itself. */
export interface StoredLogo {
  readonly data: Binary;
  /** SHA-256 of the data. */
  readonly hash: string;
  readonly sizeBytes: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Editable fields of a label. */
export interface LabelSettings {
  /** Missing: reports name no issuer. */
  readonly name?: string;
  /** `#rrggbb`; missing: the default color. */
  readonly color?: string;
  readonly logo?: StoredLogo;
}

/** Label of the reports of a workspace or client, in `reportLabels`, by the id of the workspace or client. */
export interface LabelDocument extends LabelSettings {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly scope: "workspace" | "client";
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
