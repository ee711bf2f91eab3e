#!/usr/bin/env node
// Writes everything that is derived from something else: gen/ from proto/ and contracts/, .env.example from the
// settings, docs/errors.md from the catalogue of faults. Files are replaced one by one and only when they differ,
// so that concurrent readers of gen/ never find it empty.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The folders and files, relative to the repository, that this script owns. */
export const generatedPaths = ["gen", ".env.example", "docs/errors.md"];

/** @returns {Map<string, string>} the present content of every generated file, by its path. */
export function readGenerated() {
  const files = generatedPaths.flatMap((name) => filesIn(path.join(root, name)));
  return new Map(files.map((file) => [path.relative(root, file), readFileSync(file, "utf8")]));
}

/** Rebuilds every generated file. */
export async function generate() {
  const bin = path.join(root, "node_modules", ".bin");
  execFileSync(path.join(bin, "buf"), ["lint"], { cwd: root, stdio: "inherit" });
  const fresh = mkdtempSync(path.join(tmpdir(), "hermod-generate-"));
  try {
    execFileSync(path.join(bin, "buf"), ["generate", "--output", fresh], { cwd: root, stdio: "inherit" });
    for (const file of filesIn(path.join(fresh, "gen"))) {
      write(path.relative(fresh, file), readFileSync(file, "utf8"));
    }
    removeStale(path.join(fresh, "gen"));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  // The rest is written by the program itself, which needs the files above to be built.
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
  const { dashboardOpenApiJson, envExample, errorsPage, openApi30Json, openApiJson } = await import(
    "./generated-files.js"
  );
  write("gen/openapi.json", openApiJson());
  write("gen/openapi-3.0.json", openApi30Json());
  write("gen/dashboard-openapi.json", dashboardOpenApiJson());
  write(".env.example", envExample());
  write("docs/errors.md", errorsPage());
}

function write(name, content) {
  const file = path.join(root, name);
  if (existsSync(file) && readFileSync(file, "utf8") === content) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(`wrote ${name}`);
}

/** Removes what gen/ holds of definitions that are gone. */
function removeStale(freshGen) {
  const gen = path.join(root, "gen");
  for (const file of filesIn(gen)) {
    const name = path.relative(gen, file);
    if (name.endsWith(".json") || existsSync(path.join(freshGen, name))) continue;
    rmSync(file);
    console.log(`removed gen/${name}`);
  }
}

function filesIn(place) {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesIn(path.join(place, name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate();
