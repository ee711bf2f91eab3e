import { create, type DescMessage, type JsonObject, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { SettingVersionSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { Fault } from "../shared/fault.ts";
import type { ListedVersion, VersionPage } from "../store/setting-versions.ts";
import { compareSettings } from "./compare-settings.ts";
import { pageOf, pageSizeOf, pageStartOf, versionIn } from "./page.ts";

/** Versions of settings in the store of an account. */
interface Versions<Setting, Version extends ListedVersion> {
  readonly list: (setting: Setting, page: VersionPage) => Promise<ListedVersion[]>;
  /** @param number undefined: the present version */
  readonly find: (setting: Setting, number?: number) => Promise<Version | undefined>;
}

/**
 * One page of the versions of a setting, the newest first.
 * @throws Fault request.validation_failed
 */
export async function listVersions<Setting>(
  versions: Pick<Versions<Setting, ListedVersion>, "list">,
  setting: Setting,
  request: { readonly pageSize: number; readonly pageToken: string },
) {
  const limit = pageSizeOf(request.pageSize);
  const before = pageStartOf(request.pageToken, versionIn);
  const found = await versions.list(setting, { before, limit: limit + 1 });
  const { entries, nextPageToken } = pageOf(found, limit, ({ number }) => String(number));
  return { versions: entries.map(toSettingVersion), nextPageToken };
}

/**
 * Finds a version as the caller names it. Empty: the present one.
 * @param unknown the fault if there is no such version
 */
export async function findVersion<Setting, Version extends ListedVersion>(
  versions: Pick<Versions<Setting, Version>, "find">,
  setting: Setting,
  version: string,
  unknown: () => Fault,
): Promise<Version> {
  const number = versionIn(version);
  const isNamed = version === "" || number !== undefined;
  const found = isNamed ? await versions.find(setting, number) : undefined;
  if (!found) throw unknown();
  return found;
}

/** How two versions of one kind are found and compared. */
interface Comparison<Version> {
  readonly find: (version: string) => Promise<Version>;
  /** The fields of a version by their names in answers. */
  readonly fieldsOf: (version: Version) => object;
  /** Names of fields with values that are never shown. */
  readonly secrets?: ReadonlySet<string>;
}

/** @param request numbers as the caller names them; `before` is the version before `after` if it is empty */
export async function compareVersions<Version extends ListedVersion>(
  request: { readonly before: string; readonly after: string },
  { find, fieldsOf, secrets }: Comparison<Version>,
) {
  const after = await find(request.after);
  const before = await find(request.before || String(after.number - 1));
  return {
    before: before.number,
    after: after.number,
    changes: compareSettings(fieldsOf(before), fieldsOf(after), secrets),
  };
}

/** The fields of a message by their names in answers, also those that are not set. */
export function messageFields<Schema extends DescMessage>(
  schema: Schema,
  message: MessageInitShape<Schema>,
): JsonObject {
  const options = { useProtoFieldName: true, alwaysEmitImplicit: true };
  return toJson(schema, create(schema, message), options) as JsonObject;
}

export function toSettingVersion(version: ListedVersion): MessageInitShape<typeof SettingVersionSchema> {
  const { number, revision, at, author, restores = 0, isCurrent } = version;
  return {
    version: number,
    revision,
    storedAt: timestampFromDate(at),
    ...(author && { author: { ...author } }),
    restoredVersion: restores,
    current: isCurrent,
  };
}
