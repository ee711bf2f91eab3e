import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  DirectTransport,
  Policy,
  PutPolicyRequest,
  PutPolicyResponseSchema,
  SmtpTransport,
  Transport,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import type {
  DirectTransportSettings,
  SmtpTransportSettings,
  TlsMode,
  TransportSettings,
} from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../account-settings.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";
import { toPolicy } from "../to-proto.ts";

const tlsModes: readonly TlsMode[] = ["implicit", "required", "opportunistic", "none"];
const HOST = /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9])?$|^[0-9a-f:]+$/i;
const directTlsModes: readonly DirectTransportSettings["tls"][] = ["opportunistic", "required", "verified"];
const DEFAULT_CONNECTIONS = 10;
/** What a stranger may open to a server without being told that it is too much. */
const DEFAULT_DIRECT_CONNECTIONS = 5;
const MAX_CONNECTIONS = 1000;
const MAX_TRANSPORTS = 10;

export interface PutPolicyOptions {
  readonly store: Pick<Store, "accounts" | "policies">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
}

/** Stores a policy whole, or nothing of it. */
export function createPutPolicy({ store, settings, clock }: PutPolicyOptions) {
  return async ({
    accountId,
    policy,
  }: PutPolicyRequest): Promise<MessageInitShape<typeof PutPolicyResponseSchema>> => {
    const account = await store.accounts.resolve(accountId);
    const now = clock.now();
    const { name, transports } = readPolicy(policy);
    const document = {
      _id: `${account._id}.${name}`,
      accountId: account._id,
      name,
      default: policy?.default ?? false,
      transports,
      updatedAt: now,
    };
    await store.policies.put(document);
    settings.forget();
    return { policy: toPolicy(document), updatedAt: timestampFromDate(now) };
  };
}

/** @throws Fault request.validation_failed naming everything that is wrong */
function readPolicy(policy: Policy | undefined): { name: string; transports: TransportSettings[] } {
  const faults = createFieldFaults();
  const name = policy?.name ?? "";
  if (!isResourceName(name)) {
    const message =
      "A policy's name has 1 to 100 of a-z, 0-9, '.', '_' and '-', a letter or digit at both ends.";
    faults.add("/name", "field.invalid", message);
  }
  const given = policy?.transports ?? [];
  if (given.length === 0) faults.add("/transports", "field.required", "At least one transport is needed.");
  if (given.length > MAX_TRANSPORTS)
    faults.add("/transports", "field.too_many", `At most ${MAX_TRANSPORTS} transports.`);
  const transports = given.flatMap((transport, index) => readTransport(transport, index, faults) ?? []);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return { name, transports };
}

function readTransport(
  { kind }: Transport,
  index: number,
  faults: FieldFaults,
): TransportSettings | undefined {
  if (kind.case === "sandbox") return { kind: "sandbox" };
  if (kind.case === "smtp") return readSmtp(kind.value, index, faults);
  if (kind.case === "direct") return readDirect(kind.value, index, faults);
  faults.add(
    pointer("transports", index),
    "field.invalid",
    "A transport is one of sandbox, smtp and direct.",
  );
  return undefined;
}

function readDirect(direct: DirectTransport, index: number, faults: FieldFaults): DirectTransportSettings {
  const at = (field: string) => pointer("transports", index, "direct", field);
  const tls = directTlsModes.find((mode) => mode === (direct.tls || "opportunistic"));
  if (tls === undefined) {
    faults.add(at("tls"), "field.invalid", `"${direct.tls}" is none of ${directTlsModes.join(", ")}.`);
  }
  checkConnections(direct.maxConnections, at("max_connections"), faults);
  return {
    kind: "direct",
    tls: tls ?? "opportunistic",
    maxConnections: direct.maxConnections || DEFAULT_DIRECT_CONNECTIONS,
  };
}

function checkConnections(count: number, at: string, faults: FieldFaults): void {
  if (count > MAX_CONNECTIONS) faults.add(at, "field.invalid", `At most ${MAX_CONNECTIONS} connections.`);
}

function readSmtp(smtp: SmtpTransport, index: number, faults: FieldFaults): SmtpTransportSettings {
  const at = (...parts: (string | number)[]) => pointer("transports", index, "smtp", ...parts);
  const tls = tlsModes.find((mode) => mode === (smtp.tls || "required"));
  if (tls === undefined)
    faults.add(at("tls"), "field.invalid", `"${smtp.tls}" is none of ${tlsModes.join(", ")}.`);
  if (smtp.servers.length === 0)
    faults.add(at("servers"), "field.required", "At least one server is needed.");
  const servers = smtp.servers.map(({ host, port }, n) => {
    if (!HOST.test(host))
      faults.add(at("servers", n, "host"), "field.invalid", `"${host}" is no host name or address.`);
    if (port > 65535) faults.add(at("servers", n, "port"), "field.invalid", "A port is at most 65535.");
    return { host, port: port || (tls === "implicit" ? 465 : 587) };
  });
  if ((smtp.username === "") !== (smtp.password === "")) {
    faults.add(at("username"), "field.conflict", "username and password belong together.");
  }
  if (smtp.username !== "" && tls === "none") {
    faults.add(at("tls"), "field.conflict", "Credentials are not sent without TLS.");
  }
  checkConnections(smtp.maxConnections, at("max_connections"), faults);
  return {
    kind: "smtp",
    servers,
    tls: tls ?? "required",
    ...(smtp.username !== "" && { username: smtp.username, password: smtp.password }),
    maxConnections: smtp.maxConnections || DEFAULT_CONNECTIONS,
  };
}
