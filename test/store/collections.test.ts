import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  auditedFields,
  auditedNames,
  collections,
  deletedCollections,
  sealedCollections,
} from "../../src/store/collections/collections.ts";
import { EXPIRES, type Manifest } from "../../src/store/collections/manifest.ts";

const STORE = "src/store";
const MANIFESTS = `${STORE}/collections`;

interface Note {
  readonly _id: string;
  readonly accountId: string;
  readonly text: string;
  readonly token: string;
}

/** Names in each manifest, by file. */
async function readManifests(): Promise<Map<string, Manifest<Record<string, object>>>> {
  const files = readdirSync(MANIFESTS).filter((file) => !["collections.ts", "manifest.ts"].includes(file));
  const found = new Map();
  for (const file of files) {
    const exported = await import(path.resolve(MANIFESTS, file));
    const [name] = Object.keys(exported).filter((one) => one.endsWith("Manifest"));
    found.set(file, exported[name ?? ""]);
  }
  return found;
}

describe("the manifests of the collections", () => {
  it("contain each collection once, and are all listed", async () => {
    const names = [...(await readManifests()).values()].flatMap((manifest) => Object.keys(manifest));
    expect(names.toSorted()).toEqual(Object.keys(collections).toSorted());
  });

  it("have the shard keys that the documentation recommends", () => {
    const page = readFileSync("docs/explanation/scale.md", "utf8");
    const documented = [...page.matchAll(/^\| `(\w+)` \| `\{ ([^`]*) \}` \|/gm)].map(([, name, key]) => [
      name,
      key,
    ]);
    const declared = Object.entries(collections).flatMap(([name, { shardKey }]) => {
      if (!shardKey) return [];
      const fields = Object.entries(shardKey).map(([field, kind]) => `${field}: ${JSON.stringify(kind)}`);
      return [[name, fields.join(", ")]];
    });
    expect(documented.toSorted()).toEqual(declared.toSorted());
  });

  it("contain each kind of audit target once", async () => {
    const kinds = [...(await readManifests()).values()].flatMap((manifest) =>
      Object.values(manifest).flatMap(({ audited, auditedInPart = {} }) => [
        ...Object.keys(audited),
        ...Object.keys(auditedInPart),
      ]),
    );
    expect(kinds.toSorted()).toEqual(Object.keys(auditedFields).toSorted());
  });

  it("name targets of their own kinds", () => {
    const kinds = Object.values(collections).flatMap(({ named = {}, audited }) =>
      Object.keys(named).map((kind) => [kind, kind in audited]),
    );
    expect(kinds.filter(([, isAudited]) => !isAudited)).toEqual([]);
    expect(kinds.map(([kind]) => kind).sort()).toEqual(Object.keys(auditedNames).sort());
  });

  it("contain every collection that a store opens", () => {
    const sources = readdirSync(STORE, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(path.join(STORE, file), "utf8"));
    const opened = sources.flatMap((source) =>
      [...source.matchAll(/\.collection(?:<[^()]*>)?\("(\w+)"\)/g)].map(([, name = ""]) => name),
    );
    expect(opened.length).toBeGreaterThan(100);
    expect(opened.filter((name) => !(name in collections))).toEqual([]);
  });

  it("remove access to a deleted account first, keys before everything else", () => {
    expect(deletedCollections("access")).toEqual([
      "apiKeys",
      "members",
      "invitations",
      "jobs",
      "webhookEndpoints",
      "alertTargets",
      "reportLinks",
    ]);
    expect(deletedCollections("kept")).toEqual(["auditEntries"]);
  });

  it("keep the order of encrypted collections, which page tokens of a rotation contain", () => {
    expect(sealedCollections.map(({ turn, name }) => [turn, name])).toEqual([
      [0, "secrets"],
      [1, "domainKeys"],
      [2, "policies"],
      [3, "totpSecrets"],
      [4, "webhookEndpoints"],
      [5, "sealedBodies"],
      [6, "settingVersions"],
      [7, "alertTargets"],
    ]);
  });

  it("do not compile without an entry, or with an unknown field", () => {
    const shared = { indexes: [EXPIRES], deletion: "settings" } as const;
    const note = { _id: "ignore", accountId: "ignore", text: "track", token: "secret" } as const;
    const whole: Manifest<{ readonly notes: Note }> = {
      notes: { ...shared, export: { by: ["_id"], without: ["token"] }, audited: { note } },
    };
    // @ts-expect-error the collection is missing
    const none: Manifest<{ readonly notes: Note }> = {};
    const unexported: Manifest<{ readonly notes: Note }> = {
      // @ts-expect-error `export` is missing
      notes: { ...shared, audited: {} },
    };
    const undeleted: Manifest<{ readonly notes: Note }> = {
      // @ts-expect-error `deletion` is missing
      notes: { indexes: [], export: { omitted: "a reason" }, audited: {} },
    };
    const unaudited: Manifest<{ readonly notes: Note }> = {
      // @ts-expect-error `audited` is missing
      notes: { ...shared, export: { omitted: "a reason" } },
    };
    const { token: _, ...rest } = note;
    const unclassified: Manifest<{ readonly notes: Note }> = {
      // @ts-expect-error `token` has no class
      notes: { ...shared, export: { omitted: "a reason" }, audited: { note: rest } },
    };
    const unknown: Manifest<{ readonly notes: Note }> = {
      // @ts-expect-error there is no `tokn`
      notes: { ...shared, export: { by: ["_id"], without: ["tokn"] }, audited: { note } },
    };
    expect([whole, none, unexported, undeleted, unaudited, unclassified, unknown]).toHaveLength(7);
  });
});
