#!/usr/bin/env node
// Prints the sums over the vitest JSON reports named as arguments: a line for each test that failed, with the first lines
// of its error (so that the end of a log is enough to know of it), then, last, "PASSED FAILED". A test file that could not even be loaded counts as one failure, a report that is missing as none.
// With --counts that last line alone.
import { existsSync, readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

const ERROR_LINES = 12;

const countsOnly = process.argv.includes("--counts");
const files = process.argv.slice(2).filter((name) => existsSync(name));

let passed = 0;
let failed = 0;
for (const file of files) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const { name, status, message, assertionResults } of report.testResults) {
    for (const test of assertionResults) {
      if (test.status === "failed")
        printFailure(file, name, test.fullName, (test.failureMessages ?? []).join("\n"));
    }
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) {
      failed += 1;
      printFailure(file, name, "(the file itself)", message ?? "");
    }
  }
}
console.log(`${passed} ${failed}`);

function printFailure(report, testFile, testName, error) {
  if (countsOnly) return;
  const lines = stripVTControlCharacters(error).trim().split("\n").slice(0, ERROR_LINES);
  console.log(
    `failed (${basename(report, ".report.json")}): ${relative(process.cwd(), testFile)} > ${testName}`,
  );
  for (const line of lines) console.log(`    ${line}`);
}
