#!/usr/bin/env node
import { existsSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { load, PROGRAM } from "./load-program.js";

// Where a machine has much memory, V8 lets each heap grow to four times what is alive in it before it collects: 150 MB
// more under load, and no less work. Set before anything is loaded, for what V8 has compiled belongs to its flags.
setFlagsFromString("--heap-growing-percent=100");
// Newer versions let the young objects of each thread take 96 MB or more, which is no faster than 48. V8 has laid out this
// thread's heap already: `npm start` and the image pass its flag to `node`.
setFlagsFromString("--max-semi-space-size=16");

if (existsSync(path.join(PROGRAM, "main.cjs"))) {
  load("main.cjs");
} else {
  console.error("Hermod is not built yet: run `npm install` and `npm run build` first, or `npm start`.");
  process.exitCode = 1;
}
