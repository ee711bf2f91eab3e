#!/usr/bin/env node
import { existsSync } from "node:fs";
import path from "node:path";
import { load, PROGRAM } from "./load-program.js";

if (existsSync(path.join(PROGRAM, "main.cjs"))) {
  load("main.cjs");
} else {
  console.error("Hermod is not built yet: run `npm install` and `npm run build` first, or `npm start`.");
  process.exitCode = 1;
}
