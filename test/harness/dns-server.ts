import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import * as wire from "dns-packet";

/**
 * Faulty behavior of a name.
 *
 * - `nxdomain`, `servfail`, `refused`, `formerr`, `notimp`: this response code, regardless of the zone
 * - `drop`: no answer
 * - `truncate`: over UDP, only the bit that requests TCP; `truncate_always`: over TCP too
 * - `hang_up`: as `truncate`, and the TCP connection is closed without an answer
 * - `wrong_id`, `wrong_question`: an answer to another query
 * - `garbage`: a header with the right id, followed by meaningless octets
 * - `empty`: no records and no SOA; `referral`: name servers of another operator
 * - `no_edns`: FORMERR unless the query has no EDNS
 * - `{ refersTo }`: these name servers of the zone that begins at `zone`
 * - `{ delayMs }`: the right answer after a delay
 * - `{ bogus }`: SERVFAIL with these extended errors (RFC 8914) unless the query disables checking (CD)
 * - `{ bytes }`: these bytes instead of the answer; the function receives the query
 */
export type DnsBehaviour =
  | "nxdomain"
  | "servfail"
  | "refused"
  | "formerr"
  | "notimp"
  | "drop"
  | "truncate"
  | "truncate_always"
  | "hang_up"
  | "wrong_id"
  | "wrong_question"
  | "garbage"
  | "empty"
  | "referral"
  | "no_edns"
  | { readonly refersTo: readonly string[]; readonly zone: string }
  | { readonly delayMs: number }
  | { readonly bogus: readonly { readonly code: number; readonly text?: string }[] }
  | { readonly bytes: (query: Buffer) => readonly Buffer[] };

export interface DnsName {
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  /** In zone file syntax: `10 mx.example.com`, or `0 .`. */
  readonly MX?: readonly string[];
  readonly TXT?: readonly (string | readonly string[])[];
  readonly NS?: readonly string[];
  readonly PTR?: readonly string[];
  readonly CAA?: readonly { readonly flags: number; readonly tag: string; readonly value: string }[];
  readonly DNSKEY?: readonly { readonly flags: number; readonly algorithm: number; readonly key: Buffer }[];
  readonly DS?: readonly {
    readonly keyTag: number;
    readonly algorithm: number;
    readonly digestType: number;
    readonly digest: Buffer;
  }[];
  readonly TLSA?: readonly {
    readonly usage: number;
    readonly selector: number;
    readonly matchingType: number;
    readonly certificate: Buffer;
  }[];
  readonly CNAME?: string;
  /** TTL of all its records in seconds; missing: 300. */
  readonly ttl?: number;
  /** SOA of negative answers; missing: 60 s for both values. With a primary it is also a record of the name. */
  readonly SOA?: {
    readonly ttl?: number;
    readonly minimum: number;
    readonly primary?: string;
    readonly serial?: number;
  };
  /** Sets the AD bit for clients that request it: always, or in answers about these types. */
  readonly authenticated?: boolean | readonly string[];
  /** Each query uses up one item of a list; afterwards the name behaves correctly. */
  readonly behaviour?: DnsBehaviour | readonly DnsBehaviour[];
  /** Affected types; missing: all. */
  readonly misbehavesFor?: readonly string[];
}

export type DnsZones = Readonly<Record<string, DnsName>>;

export interface DnsQuery {
  readonly name: string;
  readonly type: string;
  readonly transport: "udp" | "tcp";
  readonly id: number;
  /** Port of the client's socket. */
  readonly port: number;
  readonly edns: boolean;
  /** The CD bit. */
  readonly checkingDisabled: boolean;
}

export interface DnsServer {
  /** `127.0.0.1:port`, for UDP and TCP. */
  readonly address: string;
  readonly queries: readonly DnsQuery[];
  /** Number of queries for this name and type; without a type, for the name. */
  count(name: string, type?: string): number;
  /** Replaces all names. */
  serve(zones: DnsZones): void;
  /** Replaces the disturbance from now on; missing fields are normal. */
  disturb(disturbance: DnsDisturbance): void;
  close(): Promise<void>;
}

export interface DnsDisturbance {
  /** Delay of every answer. */
  readonly lateMs?: number;
  /** Lost datagrams of both directions. The same seed always loses the same ones. */
  readonly loss?: { readonly share: number; readonly seed: number };
}

export interface DnsServerOptions extends DnsDisturbance {
  /** An answer ends at an alias, which the client must follow; otherwise the target's records are included. */
  readonly leaveAliases?: boolean;
  /** The server is authoritative for the zones and sets AA. */
  readonly authoritative?: boolean;
  /** Listening address: several servers on one port need separate addresses; missing: 127.0.0.1 and any free port. */
  readonly at?: { readonly host: string; readonly port: number };
}

/** Avoids repeated datagrams, which would distort counts. */
export const PATIENT = { retryMs: 60_000 } as const;

const RCODES: Readonly<Record<string, number>> = {
  formerr: 1,
  servfail: 2,
  nxdomain: 3,
  notimp: 4,
  refused: 5,
};
const CLASSIC_PAYLOAD_BYTES = 512;

/** A resolving DNS server on loopback that knows only the given data. */
export async function startDnsServer(
  zones: DnsZones = {},
  options: DnsServerOptions = {},
): Promise<DnsServer> {
  let lateMs = 0;
  let isLost = () => false;
  const queries: DnsQuery[] = [];
  let names = new Map<string, DnsName>();
  let usedBehaviours = new Map<string, number>();

  function serve(next: DnsZones): void {
    names = new Map(Object.entries(next).map(([name, entry]) => [name.toLowerCase(), entry]));
    usedBehaviours = new Map();
  }

  function disturb({ lateMs: late = 0, loss }: DnsDisturbance): void {
    const random = createRandom(loss?.seed ?? 0);
    lateMs = late;
    isLost = () => loss !== undefined && random() < loss.share;
  }

  function behaviourOf({ name, type }: Query): DnsBehaviour | undefined {
    const { behaviour, misbehavesFor } = names.get(name) ?? {};
    if (misbehavesFor && !misbehavesFor.includes(type)) return undefined;
    if (!isList(behaviour)) return behaviour;
    const used = usedBehaviours.get(name) ?? 0;
    usedBehaviours.set(name, used + 1);
    return behaviour[used];
  }

  function honest(query: Query): wire.Packet {
    const answers: wire.ResourceRecord[] = [];
    let name = query.name;
    let entry = names.get(name);
    for (let hops = 0; entry?.CNAME !== undefined && hops < 20; hops++) {
      answers.push({ name, type: "CNAME", ttl: entry.ttl ?? 300, data: entry.CNAME });
      if (options.leaveAliases)
        return respond(query, 0, { answers, authoritative: options.authoritative ?? false });
      name = entry.CNAME.toLowerCase();
      entry = names.get(name);
    }
    const records = recordsOf(name, query.type, entry);
    const { ttl = 60, minimum } = entry?.SOA ?? { minimum: 60 };
    const authority = { mname: "ns.test", rname: "hostmaster.test", minimum };
    const exists = entry !== undefined || [...names.keys()].some((known) => known.endsWith(`.${name}`));
    return respond(query, exists ? 0 : RCODES.nxdomain, {
      answers: [...answers, ...records],
      authorities: records.length > 0 ? [] : [{ name: "test", type: "SOA", ttl, data: authority }],
      authoritative: options.authoritative ?? false,
      authenticated:
        query.wantsAd && [names.get(query.name), entry].every((one) => isAuthenticated(one, query.type)),
    });
  }

  /** Returns the datagrams or messages of the answer; undefined: hang up. */
  function answersTo(query: Query, behaviour: DnsBehaviour | undefined): readonly Buffer[] | undefined {
    if (typeof behaviour === "object") {
      if ("refersTo" in behaviour) {
        const { zone, refersTo } = behaviour;
        const authorities = refersTo.map((data) => ({ name: zone, type: "NS", ttl: 60, data }));
        return [wire.encode(respond(query, 0, { authorities }))];
      }
      if ("bogus" in behaviour && !query.checkingDisabled) return [refusal(query, behaviour.bogus)];
      return "bytes" in behaviour ? behaviour.bytes(query.message) : withinLimit(query, honest(query));
    }
    const overUdp = query.transport === "udp";
    switch (behaviour) {
      case "drop":
        return [];
      case "hang_up":
        return overUdp ? [truncated(query)] : undefined;
      case "truncate":
        return overUdp ? [truncated(query)] : withinLimit(query, honest(query));
      case "truncate_always":
        return [truncated(query)];
      case "wrong_id":
        return [wire.encode({ ...honest(query), id: query.id ^ 1 })];
      case "wrong_question":
        return [wire.encode({ ...honest(query), questions: [{ name: "other.test", type: query.type }] })];
      case "garbage": {
        const head = wire.encode({ ...respond(query, 0, {}), answers: [] });
        head.writeUInt16BE(3, 6);
        return [Buffer.concat([head, Buffer.from("ff00c0ffeec0c0c0", "hex")])];
      }
      case "empty":
        return [wire.encode(respond(query, 0, {}))];
      case "referral": {
        const authorities = [{ name: "test", type: "NS", ttl: 60, data: "ns.elsewhere.test" }];
        return [wire.encode(respond(query, 0, { authorities }))];
      }
      case "no_edns":
        return query.edns
          ? [wire.encode(respond(query, RCODES.formerr, {}))]
          : withinLimit(query, honest(query));
      case undefined:
        return withinLimit(query, honest(query));
      default:
        return [wire.encode(respond(query, RCODES[behaviour], {}))];
    }
  }

  function handle(
    message: Buffer,
    transport: "udp" | "tcp",
    port: number,
    reply: (messages: readonly Buffer[] | undefined) => void,
  ): void {
    const query = readQuery(message, transport);
    const { name, type, id, edns, checkingDisabled } = query;
    queries.push({ name, type, transport, id, port, edns, checkingDisabled });
    const behaviour = behaviourOf(query);
    const answers = answersTo(query, behaviour);
    const delayMs = typeof behaviour === "object" && "delayMs" in behaviour ? behaviour.delayMs : lateMs;
    if (delayMs > 0) {
      setTimeout(() => reply(answers), delayMs).unref();
    } else {
      reply(answers);
    }
  }

  serve(zones);
  disturb(options);
  const { udp, tcp, host, port } = await listen(options.at);
  let open = true;
  udp.on("message", (message, { address, port: from }) => {
    if (isLost()) return;
    handle(message, "udp", from, (answers = []) => {
      for (const answer of answers) if (open && !isLost()) udp.send(answer, from, address);
    });
  });
  tcp.on("connection", (socket) => {
    socket.on("error", () => undefined).setNoDelay();
    // Queries are short, so each arrives in one chunk.
    socket.on("data", (chunk) => {
      handle(chunk.subarray(2), "tcp", socket.remotePort ?? 0, (answers) => {
        if (!answers) socket.destroy();
        for (const answer of answers ?? []) {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(answer.length);
          // In two chunks, as a network may deliver them.
          socket.write(length.subarray(0, 1));
          setTimeout(() => socket.write(Buffer.concat([length.subarray(1), answer])), 5);
        }
      });
    });
  });

  return {
    address: `${host}:${port}`,
    queries,
    count: (name, type) =>
      queries.filter((query) => query.name === name && (type === undefined || query.type === type)).length,
    serve,
    disturb,
    close: async () => {
      open = false;
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

interface Query {
  readonly message: Buffer;
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly transport: "udp" | "tcp";
  readonly edns: boolean;
  readonly wantsAd: boolean;
  readonly checkingDisabled: boolean;
  /** Maximum message size that the client accepts. */
  readonly maxBytes: number;
}

function readQuery(message: Buffer, transport: "udp" | "tcp"): Query {
  const { id, flags, questions, additionals } = wire.decode(message);
  const opt = additionals.find(({ type }) => type === "OPT");
  const { name, type } = questions[0] ?? { name: ".", type: "ANY" };
  const udpBytes = opt?.udpPayloadSize ?? CLASSIC_PAYLOAD_BYTES;
  const maxBytes = transport === "udp" ? udpBytes : 0xffff;
  const wantsAd = (flags & wire.AUTHENTIC_DATA) !== 0;
  return {
    message,
    id,
    name: name.toLowerCase(),
    type,
    transport,
    edns: opt !== undefined,
    wantsAd,
    checkingDisabled: (flags & wire.CHECKING_DISABLED) !== 0,
    maxBytes,
  };
}

function respond(
  { id, name, type }: Query,
  rcode: number | undefined,
  {
    authenticated = false,
    authoritative = false,
    ...sections
  }: Pick<wire.Packet, "answers" | "authorities"> & {
    readonly authenticated?: boolean;
    readonly authoritative?: boolean;
  },
): wire.Packet {
  const recursion = authoritative
    ? wire.AUTHORITATIVE_ANSWER
    : wire.RECURSION_DESIRED | wire.RECURSION_AVAILABLE;
  const bits = recursion | (authenticated ? wire.AUTHENTIC_DATA : 0);
  return { id, type: "response", flags: bits | (rcode ?? 0), questions: [{ name, type }], ...sections };
}

/** SERVFAIL with reasons (RFC 8914). */
function refusal(query: Query, errors: readonly { readonly code: number; readonly text?: string }[]): Buffer {
  const options = errors.map(({ code, text = "" }) => {
    const data = Buffer.alloc(2);
    data.writeUInt16BE(code);
    return { code: 15, data: Buffer.concat([data, Buffer.from(text)]) };
  });
  const additionals = [{ name: ".", type: "OPT", udpPayloadSize: 1232, options }];
  return wire.encode({ ...respond(query, RCODES.servfail, {}), additionals });
}

function truncated(query: Query): Buffer {
  const packet = respond(query, 0, {});
  return wire.encode({ ...packet, flags: (packet.flags ?? 0) | wire.TRUNCATED_RESPONSE });
}

function withinLimit(query: Query, packet: wire.Packet): readonly Buffer[] {
  const message = wire.encode(packet);
  return [message.length <= query.maxBytes ? message : truncated(query)];
}

function recordsOf(name: string, type: string, entry: DnsName = {}): wire.ResourceRecord[] {
  const ttl = entry.ttl ?? 300;
  const records = (data: readonly unknown[] = []) => data.map((one) => ({ name, type, ttl, data: one }));
  switch (type) {
    case "A":
    case "AAAA":
    case "CAA":
    case "DNSKEY":
    case "DS":
    case "NS":
    case "PTR":
    case "TLSA":
      return records(entry[type]);
    case "SOA": {
      const { primary, serial = 1, minimum = 60 } = entry.SOA ?? {};
      const soa = { mname: primary, rname: "hostmaster.test", serial, minimum };
      return primary === undefined ? [] : records([soa]);
    }
    case "TXT":
      return records(entry.TXT?.map((parts) => (typeof parts === "string" ? [parts] : [...parts])));
    case "MX":
      return records(
        entry.MX?.map((text) => {
          const [preference, exchange] = text.split(" ", 2);
          return { preference: Number(preference), exchange };
        }),
      );
    default:
      return [];
  }
}

function isAuthenticated({ authenticated = false }: DnsName = {}, type: string): boolean {
  return typeof authenticated === "boolean" ? authenticated : authenticated.includes(type);
}

function isList(
  behaviour: DnsBehaviour | readonly DnsBehaviour[] | undefined,
): behaviour is readonly DnsBehaviour[] {
  return Array.isArray(behaviour);
}

/** Random numbers from 0 to 1, the same for the same seed (a linear congruential generator, as in Numerical Recipes). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Listening {
  readonly udp: Socket;
  readonly tcp: ReturnType<typeof createServer>;
  readonly host: string;
  readonly port: number;
}

/** Uses the same port for both. A port that is free for TCP may be used for UDP, so several are tried. */
async function listen({ host, port: wanted } = { host: "127.0.0.1", port: 0 }): Promise<Listening> {
  for (let attempt = 1; ; attempt++) {
    const tcp = createServer();
    tcp.listen(wanted, host);
    await once(tcp, "listening");
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket("udp4");
    try {
      udp.bind(port, host);
      await once(udp, "listening");
      return { udp, tcp, host, port };
    } catch (error) {
      udp.close();
      tcp.close();
      if (attempt === 5) throw error;
    }
  }
}
