import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  DeleteInhibitionRequest,
  DeleteInhibitionResponseSchema,
  InhibitionSchema,
  ListInhibitionsRequest,
  ListInhibitionsResponseSchema,
  PutInhibitionRequest,
  PutInhibitionResponseSchema,
} from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import { isField } from "../../alerts/alert.ts";
import type { Matchers } from "../../alerts/condition.ts";
import type { Inhibition } from "../../alerts/mutes.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import type { NewInhibition } from "../../store/alert-rule-store.ts";
import { inhibitionRevision } from "../../store/revisions.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { readMatchers } from "./read-rule.ts";
import { toCondition } from "./rule-to-proto.ts";

interface Needs {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}
type Context = Pick<HandlerContext, "audit">;

const MAX_EQUAL = 10;

/** @throws Fault account.unknown */
export function createListInhibitions({ store }: Needs) {
  return async (
    request: ListInhibitionsRequest,
  ): Promise<MessageInitShape<typeof ListInhibitionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    return { inhibitions: (await account.alertRules.listInhibitions()).map(toInhibition) };
  };
}

/** @throws Fault account.unknown, request.validation_failed, inhibition.too_many, resource.stale */
export function createPutInhibition({ store }: Needs) {
  return async (
    request: PutInhibitionRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof PutInhibitionResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const settings = readInhibition(request);
    const inhibition = await account.alertRules.putInhibition(settings, audit, request.ifRevision);
    return { inhibition: toInhibition(inhibition) };
  };
}

/** @throws Fault account.unknown, inhibition.unknown, resource.stale */
export function createDeleteInhibition({ store }: Needs) {
  return async (
    request: DeleteInhibitionRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof DeleteInhibitionResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { name, ifRevision } = request;
    if (!(await account.alertRules.removeInhibition(name, audit, ifRevision)))
      throw fault("inhibition.unknown");
    return {};
  };
}

/** @throws Fault request.validation_failed */
export function readInhibition(
  given: Pick<PutInhibitionRequest, "name" | "source" | "target" | "equal">,
): NewInhibition {
  const faults = createFieldFaults();
  const { name, equal } = given;
  if (!isResourceName(name)) faults.add("/name", "field.invalid", say("inhibition_name"));
  const read = (side: "source" | "target"): Matchers => {
    const { match = [], any = [] } = given[side] ?? {};
    if (match.length + any.length === 0)
      faults.add(`/${side}`, "field.required", say("least_one_condition_needed"));
    return readMatchers({ match, any }, `/${side}`, faults);
  };
  const settings = { name, source: read("source"), target: read("target"), equal: [...equal] };
  if (equal.length > MAX_EQUAL) faults.add("/equal", "field.too_many", say("at_most", { max: MAX_EQUAL }));
  for (const [index, field] of equal.entries())
    if (!isField(field)) faults.add(`/equal/${index}`, "field.invalid", say("no_field_alert"));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return settings;
}

export function toInhibition(inhibition: Inhibition): MessageInitShape<typeof InhibitionSchema> {
  const { _id: id, accountId, name, source, target, equal, createdAt, updatedAt } = inhibition;
  const side = ({ match, any }: Matchers) => ({ match: match.map(toCondition), any: any.map(toCondition) });
  return {
    id,
    accountId,
    name,
    source: side(source),
    target: side(target),
    equal: [...equal],
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    revision: inhibitionRevision(inhibition),
  };
}
