import { readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const files = ["src", "contracts", "test"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map(
    (file) => `${folder}/${file}`,
  ),
);

/** A glob for each combination of the alternatives in its braces. */
function alternatives(glob: string): string[] {
  const [braces, inside = ""] = /\{([^{}]*)\}/.exec(glob) ?? [];
  if (braces === undefined) return [glob];
  return inside.split(",").flatMap((one) => alternatives(glob.replace(braces, one)));
}

function matches(glob: string): string[] {
  const pattern = glob
    .replace(/[.+^$()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/|\*/g, (wildcard) => (wildcard === "*" ? "[^/]*" : "(?:.*/)?"));
  const expression = new RegExp(`^${pattern}$`);
  return files.filter((file) => expression.test(file));
}

/** The globs for the embedded engine or for a MongoDB. */
async function globs(mongoDbUrl: string): Promise<readonly string[]> {
  vi.stubEnv("MONGODB_URL", mongoDbUrl);
  vi.resetModules();
  const { default: config } = await import("../vitest.config.ts");
  return config.test?.include ?? [];
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the globs of the test configuration", () => {
  it("match a file each, with every alternative", async () => {
    const all = [...(await globs("")), ...(await globs("mongodb://127.0.0.1/"))].flatMap(alternatives);
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((glob) => matches(glob).length === 0)).toEqual([]);
  });

  it("are understood: one that matches nothing is found", () => {
    expect(alternatives("test/{a,b}/**/{c,d}.test.ts")).toEqual([
      "test/a/**/c.test.ts",
      "test/a/**/d.test.ts",
      "test/b/**/c.test.ts",
      "test/b/**/d.test.ts",
    ]);
    expect(matches("test/**/vitest-config.test.ts")).toEqual(["test/vitest-config.test.ts"]);
    expect(matches("test/*.test.ts")).toContain("test/vitest-config.test.ts");
    expect(matches("test/*.test.ts")).not.toContain("test/delivery/worker.test.ts");
    expect(matches("test/grid/**/*.test.ts")).toEqual([]);
  });
});
