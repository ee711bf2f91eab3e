import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Signature state of a zone.
 *
 * - `valid`: correct; `expired`: signed until a past day; `altered`: its MX record was changed afterwards
 * - `unsigned`: not signed; `island`: valid, but the zone above has no DS record for it
 * - `without_keys`: valid, but its keys are missing; `elsewhere`: it has a DS record, and another server has the zone
 */
export type Signing = "valid" | "expired" | "altered" | "unsigned" | "island" | "without_keys" | "elsewhere";

export interface SignedZones {
  /** Zone files by zone name, including the root. */
  readonly files: ReadonlyMap<string, string>;
  /** The DS record of the root's key. */
  readonly anchor: string;
}

const WITHOUT_DS: readonly Signing[] = ["unsigned", "island"];

/** Writes zone files into a folder: the root, and directly below it each of these zones with an MX record. */
export async function makeSignedZones(
  folder: string,
  zones: Readonly<Record<string, Signing>>,
): Promise<SignedZones> {
  const files = new Map<string, string>();
  const delegations: string[] = [];
  for (const [zone, signing] of Object.entries(zones)) {
    delegations.push(`${zone}. 300 IN NS ns.${zone}.`, `ns.${zone}. 300 IN A 192.0.2.1`);
    const records = [...apex(zone), `${zone}. 300 IN MX 10 mx.${zone}.`, `mx.${zone}. 300 IN A 192.0.2.1`];
    const { file, ds } = await sign(folder, zone, records, signing);
    if (!WITHOUT_DS.includes(signing)) delegations.push(ds);
    if (signing !== "elsewhere") files.set(zone, file);
  }
  const root = await sign(folder, ".", [...apex("."), ...delegations], "valid");
  files.set(".", root.file);
  return { files, anchor: root.ds };
}

function apex(zone: string): string[] {
  const [owner, server] = zone === "." ? [".", "ns.root.test."] : [`${zone}.`, `ns.${zone}.`];
  return [
    `${owner} 300 IN SOA ${server} hostmaster.test. 1 3600 600 86400 60`,
    `${owner} 300 IN NS ${server}`,
    `${server} 300 IN A 192.0.2.1`,
  ];
}

async function sign(
  folder: string,
  zone: string,
  records: readonly string[],
  signing: Signing,
): Promise<{ readonly file: string; readonly ds: string }> {
  const inside = path.join(folder, zone === "." ? "root" : zone);
  await mkdir(inside);
  const inFolder = { cwd: inside };
  await writeFile(path.join(inside, "zone"), `${records.join("\n")}\n`);
  const { stdout: key } = await run("ldns-keygen", ["-a", "ECDSAP256SHA256", "-k", zone], inFolder);
  const past = signing === "expired" ? ["-i", "20200101000000", "-e", "20200201000000"] : [];
  await run("ldns-signzone", [...past, "-f", "signed", "zone", key.trim()], inFolder);
  const ds = (await readFile(path.join(inside, `${key.trim()}.ds`), "utf8")).trim();
  if (signing === "unsigned") return { file: path.join(inside, "zone"), ds };

  const file = path.join(inside, "signed");
  const lines = (await readFile(file, "utf8")).split("\n");
  if (signing === "altered")
    await writeFile(file, lines.map((line) => line.replace(/\tMX\t10 /, "\tMX\t20 ")).join("\n"));
  if (signing === "without_keys")
    await writeFile(file, lines.filter((line) => !/\tDNSKEY\t/.test(line)).join("\n"));
  return { file, ds };
}
