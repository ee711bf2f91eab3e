#!/usr/bin/env node
// Builds what runs: compiles the sources, bundles the program and the pages of the dashboard, and runs the program once.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { buildDashboard } from "./build-dashboard.js";
import { bundleProgram } from "./bundle.js";
import { warmUp } from "./warm-up.js";

const ROOT = path.resolve(import.meta.dirname, "..");
const COMPILER = path.join(ROOT, "node_modules/typescript7/bin/tsc");

process.chdir(ROOT);
try {
  execFileSync(process.execPath, [COMPILER, "-p", "tsconfig.build.json"], { stdio: "inherit" });
} catch {
  // The compiler has said what is wrong.
  process.exit(1);
}
const [compressPages] = await Promise.all([buildDashboard(), bundleProgram()]);
// The program reads the pages when it starts, compressed or not.
await Promise.all([compressPages(), warmUp()]);
