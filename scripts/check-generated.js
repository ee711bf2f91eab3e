#!/usr/bin/env node
// Fails when a generated file is not what `npm run generate` makes of the sources. It compares content before and
// after instead of asking git, so that it also works with uncommitted changes.
import { generate, readGenerated } from "./generate.js";

const before = readGenerated();
await generate();
const after = readGenerated();

const names = [...new Set([...before.keys(), ...after.keys()])].sort();
const changed = names.filter((name) => before.get(name) !== after.get(name));
if (changed.length > 0) {
  console.error("These generated files were out of date; `npm run generate` has renewed them, commit them:");
  for (const name of changed) console.error(`  ${name}`);
  process.exitCode = 1;
}
