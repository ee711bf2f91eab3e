import type {
  DirectTransport,
  SmtpTransport,
  Transport,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { say } from "../../shared/fault-text.ts";
import type {
  DirectTransportSettings,
  DkimUse,
  SmtpTransportSettings,
  TlsMode,
  TransportSettings,
} from "../../store/policy-document.ts";
import { dkimUses } from "../../store/policy-document.ts";
import { type FieldFaults, pointer } from "../field-faults.ts";

const tlsModes: readonly TlsMode[] = ["implicit", "required", "opportunistic", "none"];
const HOST = /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9])?$|^[0-9a-f:]+$/i;
const directTlsModes: readonly DirectTransportSettings["tls"][] = ["opportunistic", "required", "verified"];
const DEFAULT_CONNECTIONS = 10;
/** Number of connections that servers accept from an unknown client. */
const DEFAULT_DIRECT_CONNECTIONS = 5;
const MAX_CONNECTIONS = 1000;
const MAX_TRANSPORTS = 10;

export const DEFAULT_TLS: TlsMode = "required";

/** The port of a server; 0: the one of its TLS mode. */
export function portOf(port: number, tls: string): number {
  return port || (tls === "implicit" ? 465 : 587);
}

/** Path in the request: the parts of a JSON pointer. */
type Position = readonly (string | number)[];

/** Transports of a list; errors are added to the faults. */
export function readTransports(
  given: readonly Transport[],
  position: Position,
  faults: FieldFaults,
): TransportSettings[] {
  const at = pointer(...position);
  if (given.length === 0) faults.add(at, "field.required", say("least_one_transport_needed"));
  if (given.length > MAX_TRANSPORTS)
    faults.add(at, "field.too_many", say("most_transports", { max: MAX_TRANSPORTS }));
  return given
    .slice(0, MAX_TRANSPORTS)
    .flatMap((transport, index) => readTransport(transport, [...position, index], faults) ?? []);
}

function readTransport(
  { kind }: Transport,
  position: Position,
  faults: FieldFaults,
): TransportSettings | undefined {
  if (kind.case === "sandbox") return { kind: "sandbox" };
  if (kind.case === "smtp") return readSmtp(kind.value, position, faults);
  if (kind.case === "direct") return readDirect(kind.value, position, faults);
  faults.add(pointer(...position), "field.invalid", say("transport_one_sandbox_smtp_direct"));
  return undefined;
}

function readDirect(
  direct: DirectTransport,
  position: Position,
  faults: FieldFaults,
): DirectTransportSettings {
  const at = (field: string) => pointer(...position, "direct", field);
  const tls = directTlsModes.find((mode) => mode === (direct.tls || "opportunistic"));
  if (tls === undefined) {
    faults.add(at("tls"), "field.invalid", say("none_of", { given: direct.tls, allowed: directTlsModes }));
  }
  checkConnections(direct.maxConnections, at("max_connections"), faults);
  return {
    kind: "direct",
    tls: tls ?? "opportunistic",
    maxConnections: direct.maxConnections || DEFAULT_DIRECT_CONNECTIONS,
    ...readDkim(direct.dkim, at("dkim"), faults),
  };
}

function checkConnections(count: number, at: string, faults: FieldFaults): void {
  if (count > MAX_CONNECTIONS)
    faults.add(at, "field.invalid", say("most_connections", { max: MAX_CONNECTIONS }));
}

/** A missing value is not stored: the delivering release knows which providers refuse two signatures. */
function readDkim(text: string | undefined, at: string, faults: FieldFaults): { dkim?: DkimUse } {
  if (text === undefined || text === "") return {};
  const dkim = dkimUses.find((use) => use === text);
  if (dkim !== undefined) return { dkim };
  faults.add(at, "field.invalid", say("none_of", { given: text, allowed: dkimUses }));
  return {};
}

function readSmtp(smtp: SmtpTransport, position: Position, faults: FieldFaults): SmtpTransportSettings {
  const at = (...parts: Position) => pointer(...position, "smtp", ...parts);
  const tls = tlsModes.find((mode) => mode === (smtp.tls || DEFAULT_TLS));
  if (tls === undefined)
    faults.add(at("tls"), "field.invalid", say("none_of", { given: smtp.tls, allowed: tlsModes }));
  if (smtp.servers.length === 0) faults.add(at("servers"), "field.required", say("least_one_server_needed"));
  const servers = smtp.servers.map(({ host, port }, n) => {
    if (!HOST.test(host))
      faults.add(at("servers", n, "host"), "field.invalid", say("no_host_name_address", { given: host }));
    if (port > 65535) faults.add(at("servers", n, "port"), "field.invalid", say("port_most_65535"));
    return { host, port: portOf(port, smtp.tls) };
  });
  if (smtp.username === "" && smtp.password !== "") {
    faults.add(at("username"), "field.conflict", say("username_password_belong_together"));
  }
  if (smtp.username !== "" && smtp.password === "") {
    const message = say("password_missing_none_stored_user_name");
    faults.add(at("password"), "field.required", message);
  }
  if (smtp.username !== "" && tls === "none") {
    faults.add(at("tls"), "field.conflict", say("credentials_not_sent_without_tls"));
  }
  checkConnections(smtp.maxConnections, at("max_connections"), faults);
  return {
    kind: "smtp",
    servers,
    tls: tls ?? DEFAULT_TLS,
    ...(smtp.username !== "" && { username: smtp.username, password: smtp.password }),
    maxConnections: smtp.maxConnections || DEFAULT_CONNECTIONS,
    ...readDkim(smtp.dkim, at("dkim"), faults),
  };
}
