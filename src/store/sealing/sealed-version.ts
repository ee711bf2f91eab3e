import type { PolicyDocument } from "../policy-document.ts";
import { SETTING_VERSIONS, type SettingVersionDocument } from "../setting-versions.ts";
import { openTransports, type StoredTransport, sealTransports, type Ways } from "./sealed-policy.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

/** Fields of a policy that its versions contain. Whether it is the default is not part of its revision. */
export type VersionedPolicy = Omit<
  PolicyDocument,
  "_id" | "accountId" | "default" | "revision" | "updatedAt" | "retiredAt" | "expireAt"
>;

type StoredContent = Omit<VersionedPolicy, "transports" | "rules"> & Ways<StoredTransport>;
type Version = Pick<SettingVersionDocument, "_id" | "content" | "sealedWith">;

/** The content of a version of a policy. Its passwords can be decrypted only in this version. */
export function sealVersion(
  sealing: Sealing,
  versionId: string,
  content: VersionedPolicy,
): Pick<Version, "content" | "sealedWith"> {
  const { sealedWith, ...sealed } = sealTransports(sealing, content, placeOf(versionId));
  return { content: sealed, ...(sealedWith !== undefined && { sealedWith }) };
}

/** @throws Fault store.unavailable if a password cannot be decrypted */
export function openVersion(sealing: Sealing, { _id, content, sealedWith }: Version): VersionedPolicy {
  const stored = { ...(content as StoredContent), ...(sealedWith !== undefined && { sealedWith }) };
  return openTransports(sealing, stored, placeOf(_id));
}

function placeOf(versionId: string) {
  return { collection: SETTING_VERSIONS, documentId: versionId };
}

/** Only versions of policies have secrets: the others have no `sealedWith`, and stay unchanged. */
export const sealedVersions: SealedFields = {
  turn: 6,
  fields: ["content"],
  reseal: (sealing, stored: SettingVersionDocument) =>
    stored.kind === "policy"
      ? { ...stored, ...sealVersion(sealing, stored._id, openVersion(sealing, stored)) }
      : stored,
};
