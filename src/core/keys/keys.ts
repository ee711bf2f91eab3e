import { keyScopes } from "../../../contracts/common/permissions.ts";
import { KeyService } from "../../../gen/hermod/access/v1/key_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, MAIL, READS } from "../../rpc/audits.ts";
import { FRONT_ENDS, permitted } from "../../rpc/callers.ts";
import { type FieldFault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { KeyDocument, KeyUsesDocument } from "../../store/documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toKey } from "../to-proto.ts";
import { checkName, createCreateKey } from "./create-key.ts";
import { createListKeys, keyKinds } from "./list-keys.ts";
import { createReplaceKeyAccess } from "./replace-key-access.ts";
import { createRotateKey, unknownKey } from "./rotate-key.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;

/** Keys of accounts: created, listed, renamed, rotated, revoked, and checked for the front ends. */
export const keys: Area<Pick<Dependencies, "store" | "authenticator" | "clock">> = defineArea(KeyService, {
  checkKey: [
    FRONT_ENDS,
    MAIL,
    ({ authenticator }) =>
      async (request, context) => {
        const kind = keyKinds.find((one) => one === request.kind);
        const scope = keyScopes.find((one) => one === request.scope);
        const faults: FieldFault[] = [];
        if (!kind) faults.push({ pointer: "/kind", code: "field.invalid", message: say("no_kind_key") });
        if (!scope) {
          const message = say("scope_one_of", { allowed: keyScopes });
          faults.push({ pointer: "/scope", code: "field.invalid", message });
        }
        if (!kind || !scope) throw validationFault(faults);
        const clientAddress = request.clientAddress || context.peerAddress;
        const key = await authenticator.authenticate(request.apiKey, {
          kind,
          scope,
          clientAddress,
          surface: request.clientAddress === "" ? "grpc" : kind === "smtp" ? "smtp" : "http",
        });
        return { keyId: key._id, accountId: key.accountId };
      },
  ],
  createKey: [permitted("keys.write"), changes("key.create", "name"), createCreateKey],
  listKeys: [permitted("keys.read"), READS, createListKeys],
  getKey: [
    permitted("keys.read"),
    READS,
    ({ store, clock }) =>
      async (request) => {
        const { key } = await findKey(store, request);
        return { key: toKey(key, clock.now()) };
      },
  ],
  /** Number of uses of a key per day, counted by all processes. */
  listKeyUses: [
    permitted("keys.read"),
    READS,
    ({ store, clock }) =>
      async (request) => {
        const days = request.days || DEFAULT_DAYS;
        if (days > MAX_DAYS) {
          const message = say("uses_up_to_days", { max: MAX_DAYS });
          throw validationFault([{ pointer: "/days", code: "field.invalid", message }]);
        }
        const { account, key } = await findKey(store, request);
        const first = new Date(clock.now().getTime() - (days - 1) * DAY_MS);
        return { days: usesByDay(await account.keys.usesSince(key._id, utcDay(first))) };
      },
  ],
  /** Renames a key. */
  renameKey: [
    permitted("keys.write"),
    changes("key.rename", "key"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const faults = createFieldFaults();
        checkName(request.name, faults);
        if (faults.found.length > 0) throw validationFault(faults.found);
        const { name, ifRevision } = request;
        const key = await account.keys.rename(request.key, name, audit, ifRevision);
        if (!key) throw unknownKey(request.key);
        return { key: toKey(key, clock.now()) };
      },
  ],
  replaceKeyAccess: [permitted("keys.write"), changes("key.replace_access", "key"), createReplaceKeyAccess],
  rotateKey: [permitted("keys.write"), changes("key.rotate", "key"), createRotateKey],
  /** Revokes a key permanently. A revoked key is not changed. */
  revokeKey: [
    permitted("keys.write"),
    changes("key.revoke", "key"),
    ({ store, authenticator, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const key = await account.keys.revoke(request.key, clock.now(), audit);
        if (!key) throw unknownKey(request.key);
        authenticator.forget();
        return { key: toKey(key, clock.now()) };
      },
  ],
});

/** Sum of the counts of all processes, latest day first. */
export function usesByDay(counted: readonly Pick<KeyUsesDocument, "day" | "http" | "smtp" | "grpc">[]) {
  const byDay = new Map<string, { day: string; http: number; smtp: number; grpc: number }>();
  for (const { day, http, smtp, grpc } of counted) {
    const sum = byDay.get(day) ?? { day, http: 0, smtp: 0, grpc: 0 };
    byDay.set(day, { day, http: sum.http + http, smtp: sum.smtp + smtp, grpc: sum.grpc + grpc });
  }
  return [...byDay.values()];
}

/** @throws Fault account.unknown, key.unknown */
async function findKey(
  store: Pick<Store, "accounts" | "forAccount">,
  request: { readonly accountId: string; readonly key: string },
): Promise<{ readonly account: AccountStore; readonly key: KeyDocument }> {
  const account = await resolveAccount(store, request);
  const key = await account.keys.find(request.key);
  if (!key) throw unknownKey(request.key);
  return { account, key };
}
