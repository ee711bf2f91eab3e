#!/usr/bin/env node
import { existsSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { load, PROGRAM } from "./load-program.js";

// Where a machine has much memory, V8 lets each heap grow to four times what is alive in it before it collects: 150 MB
// more under load, and no less work. Set before anything is loaded, for what V8 has compiled belongs to its flags.
setFlagsFromString("--heap-growing-percent=100");

if (existsSync(path.join(PROGRAM, "main.cjs"))) {
  load("main.cjs");
} else {
  console.error("Hermod is not built yet: run `npm install` and `npm run build` first, or `npm start`.");
  process.exitCode = 1;
}
