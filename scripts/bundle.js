// Bundles the compiler's output into dist/program, which is the program that runs: a start loads some fifty files instead of
// 1,400, with V8's code caches. Tests and tools import the compiler's own files.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { PROGRAM } from "../bin/load-program.js";
import { copyFonts } from "./copy-fonts.js";

// By the names under which they are started.
const threads = {
  thread: "engine/thread.js",
  "front-end-thread": "roles/front-end-thread.js",
  "fold-thread": "engine/fold-thread.js",
  "compact-thread": "engine/compact-thread.js",
  "parse-thread": "message/preview/parse-thread.js",
  "report-thread": "intel/aggregate-reports/report-thread.js",
  "render-thread": "intel/reports/render-thread.js",
  "estimate-thread": "core/access/estimate-thread.js",
};

/** The commit of this folder; without git, the commit that the environment names. */
function commitOf() {
  const named = process.env.BUILD_COMMIT?.slice(0, 12);
  if (named) return named;
  try {
    const git = (...words) =>
      execFileSync("git", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    // A folder within another repository has no commit of its own.
    if (git("rev-parse", "--show-prefix") !== "") return "unknown";
    const isChanged = git("status", "--porcelain", "--untracked-files=no") !== "";
    return `${git("rev-parse", "--short=12", "HEAD")}${isChanged ? "-changed" : ""}`;
  } catch {
    return "unknown";
  }
}

/** Writes the program. */
export async function bundleProgram() {
  const bundle = await rolldown({
    transform: { define: { BUILD_COMMIT: JSON.stringify(commitOf()) } },
    input: {
      main: "dist/src/main.js",
      ...Object.fromEntries(Object.entries(threads).map(([name, file]) => [name, `dist/src/${file}`])),
    },
    platform: "node",
    // Native code, and a package that gRPC loads only to serve its own figures.
    external: ["libsql", "@node-rs/argon2", "@grpc/proto-loader"],
  });
  await bundle.write({
    dir: PROGRAM,
    cleanDir: true,
    keepNames: true,
    format: "cjs",
    // Code from V8's cache cannot use dynamic imports.
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
  });
  await bundle.close();
  for (const name of Object.keys(threads)) {
    const entry = `import { load } from "../../bin/load-program.js";\n\nload("${name}.cjs");\n`;
    writeFileSync(path.join(PROGRAM, `${name}.js`), entry);
  }
  copyFonts();
}
