import { Binary, type Db } from "mongodb";
import type { MailHostProbe } from "../intel/mail-host-probe/mail-host-probe.ts";
import { bytesOf } from "./chunk-store.ts";
import { guarded } from "./store-fault.ts";

export interface MailHostDocument extends Pick<MailHostProbe, "at" | "addresses"> {
  readonly _id: string;
  readonly expireAt: Date;
}

/** Number of hosts from which the visibility is determined. */
const MAX_RECENT = 50;

/** Observations of mail hosts by name, for all domains that use them. */
export function createMailHostStore(db: Db) {
  const hosts = db.collection<MailHostDocument>("mailHostProbes");

  return {
    /** Probes of these hosts since a time, by name. */
    async find(names: readonly string[], since: Date): Promise<Map<string, MailHostProbe>> {
      const filter = { _id: { $in: [...names] }, at: { $gt: since } };
      const found = await guarded(hosts.find(filter).toArray());
      return new Map(found.map((one) => [one._id, probeOf(one)]));
    },

    /** The latest probes, of enough hosts to determine the visibility from this machine. */
    async recent(since: Date): Promise<MailHostProbe[]> {
      const latest = hosts.find({ at: { $gt: since } }).sort({ at: -1 });
      return (await guarded(latest.limit(MAX_RECENT).toArray())).map(probeOf);
    },

    async keep({ name, at, addresses }: MailHostProbe, expireAt: Date): Promise<void> {
      const document = { _id: name, at, addresses, expireAt };
      await guarded(hosts.replaceOne({ _id: name }, document, { upsert: true }));
    },
  };
}

/** The driver returns bytes as its own type. */
function probeOf({ _id: name, at, addresses }: MailHostDocument): MailHostProbe {
  return { name, at, addresses: addresses.map(withBuffers) };
}

function withBuffers(address: MailHostProbe["addresses"][number]): MailHostProbe["addresses"][number] {
  if (address.outcome !== "answered" || address.startTls.kind !== "works") return address;
  const { tls } = address.startTls;
  const [first, ...others] = (tls.certificates as readonly unknown[]).map((bytes) =>
    Buffer.from(bytes instanceof Binary ? bytesOf(bytes) : (bytes as Uint8Array)),
  );
  if (!first) return address;
  return { ...address, startTls: { kind: "works", tls: { ...tls, certificates: [first, ...others] } } };
}
