import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const mantine = path.resolve(import.meta.dirname, "../node_modules/@mantine");
const modules = path.join(mantine, "core/esm");
/** Style sheets without a component: resets, and the variables for colors and sizes of all components. */
const COMMON = ["baseline", "default-css-variables", "global"];
const read = (...names: string[]) => readFileSync(path.join(...names), "utf8");

/** Files of a folder, with those of the folders in it. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
    .map((name) => path.join(folder, name));

/** Names that files import from @mantine/core, types included. */
const importedBy = (files: readonly string[]) =>
  files.flatMap((file) =>
    [...read(file).matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)].flatMap(([, names = ""]) =>
      names.split(",").map((name) => name.trim()),
    ),
  );

/** The file of each name that @mantine/core exports. */
const exported = new Map(
  [...read(modules, "index.mjs").matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(
    ([, names = "", file = ""]) => names.split(",").map((name) => [name.trim(), file] as const),
  ),
);

/** Style sheets of components that a module reaches, each `Name.module.mjs` by its name. */
function stylesReachedBy(file: string, seen: Set<string>): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  if (file.endsWith(".module.mjs")) return [path.basename(file, ".module.mjs")];
  return [...read(file).matchAll(/from "(\.[^"]+)"/g)].flatMap(([, to = ""]) =>
    stylesReachedBy(path.resolve(path.dirname(file), to), seen),
  );
}

describe("the styles of Mantine", () => {
  const loaded = [...read("src/dashboard/mantine.css").matchAll(/styles\/([\w-]+)\.css/g)].map(
    ([, name = ""]) => name,
  );

  it("are those of the components that the pages use, and no others", () => {
    const packages = ["notifications", "spotlight"].map((name) => path.join(mantine, name, "esm"));
    const names = importedBy(["src/dashboard", ...packages].flatMap(filesIn));
    const seen = new Set<string>();
    const used = names
      .flatMap((name) => exported.get(name) ?? [])
      .flatMap((file) => stylesReachedBy(path.join(modules, file), seen));
    expect(used).toContain("Button");
    expect(loaded.toSorted()).toEqual([...COMMON, ...used].toSorted());
  });

  it("stand in the order of Mantine's own sheet, which decides between rules of equal weight", () => {
    const whole = read(mantine, "core/styles.css");
    const places = loaded.map((name) =>
      whole.indexOf(read(mantine, "core/styles", `${name}.css`).trim().slice(0, 60)),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});
