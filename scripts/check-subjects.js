#!/usr/bin/env node
// Checks the subjects of commits: `type(scope): ` or `type: `, then a verb in the imperative, at most 72 characters in all.
// Usage: node scripts/check-subjects.js [revision range]. Without a range it reads the commits since the rule began.
import { execFileSync } from "node:child_process";

const MOST = 72;
/** The last commit before the rule. */
const BEFORE = "50f1b7f5";
const FORM =
  /^(?:feat|fix|perf|refactor|test|docs|build|ci|chore|style|revert)(?:\([a-z0-9-]+\))?!?: (\S+) \S/;
/** Ends of words that describe instead of ordering, and verbs that end like them. */
const DESCRIBES = /(?:ed|ing|[^s]s)$/;
const VERBS = new Set([
  "bring",
  "embed",
  "feed",
  "focus",
  "need",
  "seed",
  "shed",
  "speed",
  "bias",
  "canvas",
  "ping",
  "string",
]);

/** @returns {string | undefined} what is wrong with the subject */
function faultOfSubject(subject) {
  if (/^(?:Merge|Revert) /.test(subject)) return undefined;
  if (subject.length > MOST) return `has ${subject.length} characters; at most ${MOST} are allowed`;
  const [, verb = ""] = FORM.exec(subject) ?? [];
  if (verb === "")
    return "must be `type(scope): verb ...`, for example `fix(alerts): notify when an alert turns critical`";
  const isVerb = /^[a-z]/.test(verb) && (VERBS.has(verb) || !DESCRIBES.test(verb));
  return isVerb ? undefined : `must begin with a verb in the imperative, not with "${verb}"`;
}

/** A clone without the older history has its last commit checked, a folder without a repository none. */
function subjectsOf(range) {
  for (const revisions of [range, "-1"]) {
    try {
      const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
      return execFileSync("git", ["log", "--format=%h %s", revisions], options).split("\n").filter(Boolean);
    } catch {
      // The next one.
    }
  }
  return [];
}

const faults = subjectsOf(process.argv[2] ?? `${BEFORE}..HEAD`).flatMap((line) => {
  const [hash = "", subject = ""] = line.split(/ (.*)/s);
  const fault = faultOfSubject(subject);
  return fault === undefined ? [] : [`${hash} ${subject}\n  The subject ${fault}.`];
});
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
