import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { areas as servedAreas } from "../src/roles/areas.ts";

/** The areas of the core in the order of their list, by name and the file that each comes from. */
const areas = [
  ...readFileSync("src/roles/areas.ts", "utf8").matchAll(/import \{ (\w+) \} from "\.\.\/(core\/.*)";/g),
].map(([, name = "", file = ""]) => ({ name, file: `src/${file}` }));
const names = areas.map(({ name }) => name);

/** The published package is older than the rule, and its clients use this name. */
const publishedPackages: Readonly<Record<string, string>> = { keys: "access" };
/** The commands without an area: the process itself, its data folder, and keys of one kind. */
const ownCommands = ["start", "compact", "smtpCredentials"];

function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  if (/(?:status|sandbox)$/.test(name)) return name;
  return name.endsWith("ches") ? name.slice(0, -2) : name.replace(/s$/, "");
}

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Names of the modules, or of the tests, below a folder. */
function modulesIn(folder: string, { deep = false, end = ".ts" } = {}): string[] {
  const files = readdirSync(folder, { recursive: deep, encoding: "utf8" });
  return files.filter((file) => file.endsWith(end)).map((file) => path.basename(file, end));
}

describe("an area has one name", () => {
  it("in the core, as the name of its file", () => {
    expect(areas).toHaveLength(servedAreas.length);
    expect(areas.map(({ file }) => path.basename(file, ".ts"))).toEqual(names);
  });

  it("in its service", () => {
    const services = names.map((name) => {
      const folder = publishedPackages[name] ?? singular(name);
      return `proto/hermod/${folder}/v1/${singular(name)}_service.proto`;
    });
    expect(services.filter((file) => !existsSync(file))).toEqual([]);
    const found = readdirSync("proto/hermod", { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".proto"),
    );
    expect(found.map((file) => `proto/hermod/${file}`).sort()).toEqual([...services].sort());
    for (const [index, name] of names.entries()) {
      const service = `service ${capitalised(singular(name))}Service {`;
      expect(readFileSync(services[index] ?? "", "utf8")).toContain(service);
    }
  });

  it("in the contract and at the edge", () => {
    // No route requests the events of endpoints.
    const others = ["events", "index", "openapi"];
    const contracts = modulesIn("contracts").filter((name) => !others.includes(name));
    expect(contracts.filter((name) => !names.includes(name))).toEqual([]);
    expect(contracts.filter((name) => !existsSync(`src/edge/${name}.ts`))).toEqual([]);
    const server = readFileSync("src/edge/server.ts", "utf8");
    const [, served = ""] = /function areasOf\(.*?\) \{\n\s*return \{(.*?)\};/s.exec(server) ?? [];
    const routed = [...served.matchAll(/(\w+): (\w+)\(parts\)/g)];
    expect(routed.length).toBeGreaterThan(0);
    for (const [, key, create] of routed)
      expect([key, contracts.includes(key ?? "")]).toEqual([create, true]);
  });

  it("in the dashboard's contract and at its edge", () => {
    const contracts = modulesIn("contracts/dashboard").filter((name) => name !== "common");
    expect(contracts.filter((name) => !names.includes(name))).toEqual([]);
    expect(contracts.filter((name) => !existsSync(`src/edge/dashboard/${kebab(name)}.ts`))).toEqual([]);
    const served = readFileSync("src/edge/dashboard/dashboard.ts", "utf8");
    for (const name of contracts) expect(served).toContain(`${name}: ${name}(parts)`);
  });

  it("in the store, if it has a collection of its name", () => {
    const store = readFileSync("src/store/store.ts", "utf8");
    const stored = names.filter((name) => new RegExp(`^    ${name}: `, "m").test(store));
    expect(stored.length).toBeGreaterThan(5);
    for (const name of stored) {
      expect(store).toContain(`${name}: create${capitalised(singular(name))}Store(`);
      expect(existsSync(`src/store/${kebab(singular(name))}-store.ts`)).toBe(true);
    }
  });

  it("on the command line, and in the tests of that", () => {
    const program = readFileSync("src/cli/program.ts", "utf8");
    const [, list = ""] = /const commands: .*? = \[(.*?)\];/s.exec(program) ?? [];
    const commands = [...list.matchAll(/\w+/g)].map(([name]) => name);
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter((name) => !names.includes(name) && !ownCommands.includes(name))).toEqual([]);
    expect(commands.filter((name) => !existsSync(`src/cli/${kebab(name)}.ts`))).toEqual([]);
    const modules = modulesIn("src/cli", { deep: true });
    const tests = modulesIn("test/cli", { end: ".test.ts" }).filter((name) => name !== "usage");
    expect(tests.length).toBeGreaterThan(5);
    expect(tests.filter((name) => !modules.includes(name))).toEqual([]);
  });
});
