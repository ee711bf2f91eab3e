#!/usr/bin/env node
// Prints "PASSED FAILED": the sums over the vitest JSON reports named as arguments. A test file that could not even
// be loaded counts as one failure, a report that is missing as none.
import { existsSync, readFileSync } from "node:fs";

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2).filter((name) => existsSync(name))) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const { status, assertionResults } of report.testResults) {
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) failed += 1;
  }
}
console.log(`${passed} ${failed}`);
