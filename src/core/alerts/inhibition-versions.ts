import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type CompareInhibitionVersionsRequest,
  type CompareInhibitionVersionsResponseSchema,
  type GetInhibitionVersionRequest,
  type GetInhibitionVersionResponseSchema,
  InhibitionSchema,
  type ListInhibitionVersionsRequest,
  type ListInhibitionVersionsResponseSchema,
  type RestoreInhibitionRequest,
  type RestoreInhibitionResponseSchema,
} from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import type { Inhibition } from "../../alerts/mutes.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import type { PlainVersion } from "../../store/plain-versions.ts";
import type { InhibitionContent } from "../../store/revisions.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import {
  compareVersions,
  findVersion,
  listVersions,
  messageFields,
  toSettingVersion,
} from "../setting-versions.ts";
import { readInhibition, toInhibition } from "./inhibitions.ts";

interface Needs {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}
type Version = PlainVersion<InhibitionContent>;

/** @throws Fault account.unknown, inhibition.unknown, request.validation_failed */
export function createListInhibitionVersions({ store }: Needs) {
  return async (
    request: ListInhibitionVersionsRequest,
  ): Promise<MessageInitShape<typeof ListInhibitionVersionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const inhibition = await findInhibition(account, request.name);
    return listVersions(account.inhibitionVersions, inhibition, request);
  };
}

/** @throws Fault account.unknown, inhibition.unknown, inhibition.version_not_found */
export function createGetInhibitionVersion({ store }: Needs) {
  return async (
    request: GetInhibitionVersionRequest,
  ): Promise<MessageInitShape<typeof GetInhibitionVersionResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const inhibition = await findInhibition(account, request.name);
    const found = await findOne(account, inhibition, request.version);
    const { source, target, equal } = inState(inhibition, found);
    return { version: toSettingVersion(found), source, target, equal };
  };
}

/** @throws Fault account.unknown, inhibition.unknown, inhibition.version_not_found */
export function createCompareInhibitionVersions({ store }: Needs) {
  return async (
    request: CompareInhibitionVersionsRequest,
  ): Promise<MessageInitShape<typeof CompareInhibitionVersionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const inhibition = await findInhibition(account, request.name);
    return compareVersions(request, {
      find: (version) => findOne(account, inhibition, version),
      fieldsOf: (version) => fieldsOf(inhibition, version),
    });
  };
}

/**
 * Stores the content of an earlier version. The rules of today apply.
 * @throws Fault account.unknown, inhibition.unknown, inhibition.version_not_found, request.validation_failed,
 *   resource.stale
 */
export function createRestoreInhibition({ store }: Needs) {
  return async (
    request: RestoreInhibitionRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof RestoreInhibitionResponseSchema>> => {
    const { name, ifRevision } = request;
    const account = await resolveAccount(store, request);
    const inhibition = await findInhibition(account, name);
    const version = await findOne(account, inhibition, String(request.version));
    const settings = readInhibition(inState(inhibition, version));
    const stored = await account.alertRules.putInhibition(settings, audit, ifRevision, version.number);
    return { inhibition: toInhibition(stored) };
  };
}

/** @throws Fault inhibition.unknown */
async function findInhibition(
  { alertRules }: Pick<AccountStore, "alertRules">,
  name: string,
): Promise<Inhibition> {
  const found = await alertRules.findInhibition(name);
  if (!found) throw fault("inhibition.unknown");
  return found;
}

/** @throws Fault inhibition.version_not_found */
function findOne(
  { inhibitionVersions }: Pick<AccountStore, "inhibitionVersions">,
  inhibition: Inhibition,
  version: string,
): Promise<Version> {
  return findVersion(inhibitionVersions, inhibition, version, () => fault("inhibition.version_not_found"));
}

/** The inhibition with the content of a version. */
function inState(inhibition: Inhibition, { content }: Version) {
  return create(InhibitionSchema, toInhibition({ ...inhibition, ...content }));
}

function fieldsOf(inhibition: Inhibition, version: Version): object {
  const { source, target, equal } = messageFields(InhibitionSchema, inState(inhibition, version));
  return { source, target, equal };
}
