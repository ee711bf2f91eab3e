#!/usr/bin/env node
import { existsSync } from "node:fs";

const main = new URL("../dist/program/main.js", import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error("Hermod is not built yet: run `npm install` and `npm run build` first, or `npm start`.");
  process.exitCode = 1;
}
