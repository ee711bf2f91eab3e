import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import {
  AlertRuleSettingsSchema,
  type CompareRuleVersionsRequest,
  type CompareRuleVersionsResponseSchema,
  type GetRuleVersionRequest,
  type GetRuleVersionResponseSchema,
  type ListRuleVersionsRequest,
  type ListRuleVersionsResponseSchema,
} from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import type { RuleSettings } from "../../alerts/rule.ts";
import { fault } from "../../shared/fault.ts";
import type { AlertRuleDocument } from "../../store/alert-documents.ts";
import type { PlainVersion } from "../../store/plain-versions.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import {
  compareVersions,
  findVersion,
  listVersions,
  messageFields,
  toSettingVersion,
} from "../setting-versions.ts";
import { toSettings } from "./rule-to-proto.ts";

interface Needs {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}

/** @throws Fault account.unknown, alert_rule.unknown, request.validation_failed */
export function createListRuleVersions({ store }: Needs) {
  return async (
    request: ListRuleVersionsRequest,
  ): Promise<MessageInitShape<typeof ListRuleVersionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const rule = await findRule(account, request.name);
    return listVersions(account.alertRuleVersions, rule, request);
  };
}

/** @throws Fault account.unknown, alert_rule.unknown, alert_rule.version_not_found */
export function createGetRuleVersion({ store }: Needs) {
  return async (
    request: GetRuleVersionRequest,
  ): Promise<MessageInitShape<typeof GetRuleVersionResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const rule = await findRule(account, request.name);
    const found = await findRuleVersion(account, rule, request.version);
    return { version: toSettingVersion(found), settings: toSettings(found.content) };
  };
}

/** @throws Fault account.unknown, alert_rule.unknown, alert_rule.version_not_found */
export function createCompareRuleVersions({ store }: Needs) {
  return async (
    request: CompareRuleVersionsRequest,
  ): Promise<MessageInitShape<typeof CompareRuleVersionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const rule = await findRule(account, request.name);
    return compareVersions(request, {
      find: (version) => findRuleVersion(account, rule, version),
      fieldsOf,
    });
  };
}

/** @throws Fault alert_rule.unknown */
export async function findRule(
  { alertRules }: Pick<AccountStore, "alertRules">,
  name: string,
): Promise<AlertRuleDocument> {
  const found = await alertRules.find(name);
  if (!found) throw fault("alert_rule.unknown");
  return found;
}

/** @throws Fault alert_rule.version_not_found */
export function findRuleVersion(
  { alertRuleVersions }: Pick<AccountStore, "alertRuleVersions">,
  rule: AlertRuleDocument,
  version: string,
): Promise<PlainVersion<RuleSettings>> {
  return findVersion(alertRuleVersions, rule, version, () => fault("alert_rule.version_not_found"));
}

function fieldsOf({ content }: PlainVersion<RuleSettings>): JsonObject {
  const { name: _, ...fields } = messageFields(AlertRuleSettingsSchema, toSettings(content));
  return fields;
}
