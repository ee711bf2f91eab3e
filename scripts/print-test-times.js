#!/usr/bin/env node
// Prints what the test files of a run took, from the lines that test/harness/file-times.ts wrote into the file named as
// the argument: the twenty with the most processor time, and the sum.
import { existsSync, readFileSync } from "node:fs";

const SHOWN = 20;

const [file = ""] = process.argv.slice(2);
const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").filter(Boolean) : [];
const times = lines.map((line) => JSON.parse(line)).sort((a, b) => b.cpu - a.cpu);
const cpu = times.reduce((sum, one) => sum + one.cpu, 0);

console.log(`--- ${times.length} test files took ${Math.round(cpu)} s of the processor; the slowest:`);
console.log("   cpu s   wall s");
for (const { cpu: own, seconds, file: name } of times.slice(0, SHOWN))
  console.log(`${own.toFixed(1).padStart(8)} ${seconds.toFixed(1).padStart(8)}  ${name}`);
