#!/usr/bin/env node
// Counts the sentences of Hermod's own text that are hard to read: those that begin with a relative clause, and those with
// a word that says nothing. Usage: node scripts/plain-words.js [--list opener|word|all] [folder or file ...], or --budget to
// write down the present counts as what the test allows.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "rolldown/utils";

const ROOT = path.resolve(import.meta.dirname, "..");

/** Begin a relative or inverted clause. */
const OPENER =
  /^(?:What(?:ever)?|Who(?:ever)?|Whose|Whom|Of|That(?! (?:is|was) )|Where it|To whom|By whom|For whom)\b/;
/** Words with no content of their own, or that another word says better. */
const EMPTY_WORD =
  /\b(?:tells?|told|telling|looks?|looked|looking|things?|whose|whoever|whom|somebody|nobody|anew|besides|meanwhile|hears? of|heard of|by now|so long|that which)\b/i;

/** @typedef {{ kind: "comment" | "text" | "test name" | "prose", text: string, start: number }} Passage `start`: in its file */

/** Sentences of a passage; code in backquotes is one word. */
export function sentencesOf(text) {
  return text
    .replace(/`[^`]*`/g, "code")
    .replace(/https?:\S+/g, "address")
    .replace(/\{@link [^}]*\}|@\w+/g, ".")
    .split(/(?<=[.!?:])\s+|\n\s*\n|\n\s*[-*|]\s/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence.split(" ").length >= 3);
}

/** @returns {"opener" | "word" | undefined} what makes the sentence hard to read */
export function faultOf(sentence) {
  if (OPENER.test(sentence)) return "opener";
  return EMPTY_WORD.test(sentence) ? "word" : undefined;
}

/** @returns {Passage[]} the text that a file holds for people */
function passagesOf(file, source) {
  const extension = path.extname(file);
  if (extension === ".md") return proseOf(source);
  if (extension === ".proto") return protoCommentsOf(source);
  if (/\.[cm]?[jt]sx?$/.test(extension)) return scriptPassagesOf(file, source);
  return [];
}

function proseOf(source) {
  const prose = source.replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ""));
  return paragraphs(prose, "prose");
}

function protoCommentsOf(source) {
  const comments = source
    .split("\n")
    .map((line) => line.match(/^\s*\/\/ ?(.*)$|\s\/\/ (.*)$/))
    .map((match) => match?.[1] ?? match?.[2] ?? "");
  return paragraphs(comments.join("\n"), "comment");
}

function paragraphs(text, kind) {
  const found = [];
  let start = 0;
  for (const paragraph of text.split(/((?<=\n)[ \t]*\n|\n(?=[ \t]*(?:[-*|]|\d+\.|#+) ))/)) {
    const content = paragraph.replace(/^[ \t]*(?:[-*|]|\d+\.|#+) /, "");
    if (content.trim() !== "") found.push({ kind, text: content.replace(/\s*\|\s*/g, ". "), start });
    start += paragraph.length;
  }
  return found;
}

function scriptPassagesOf(file, source) {
  const { program, comments } = parseSync(file, source);
  return [...commentPassages(comments, source), ...literalPassages(program, file)];
}

/** Neighbouring line comments are one passage. */
function commentPassages(comments, source) {
  const passages = [];
  let end = -1;
  for (const { type, value, start, end: next } of comments) {
    if (/^\s*(?:biome-ignore|@ts-|prettier|eslint|#)/.test(value)) continue;
    const text = type === "Block" ? value.replace(/^\s*\*+ ?/gm, "") : value;
    const last = passages.at(-1);
    if (type === "Line" && last && end >= 0 && source.slice(end, start).trim() === "")
      last.text += `\n${text}`;
    else passages.push({ kind: "comment", text, start });
    end = type === "Line" ? next : -1;
  }
  return passages;
}

const TESTS = /^(?:it|test|describe)\b/;

function literalPassages(program, file) {
  const isTest = /\.test\.tsx?$/.test(file);
  const passages = [];
  visit(program);
  return passages;

  function visit(node) {
    if (Array.isArray(node)) {
      for (const one of node) visit(one);
      return;
    }
    if (!node || typeof node !== "object" || typeof node.type !== "string") return;
    if (node.type === "CallExpression" && TESTS.test(nameOf(node.callee))) {
      const name = textOf(node.arguments[0]);
      if (name) passages.push({ kind: "test name", text: name, start: node.start });
    } else if (!isTest) {
      const text = textOf(node);
      // A sentence, not a name, a query or markup.
      if (text && /^[A-Z`].*[a-z] .*[a-z]/s.test(text) && !/^[A-Z ]+\b|<\w+|;\s*$/.test(text))
        passages.push({ kind: "text", text, start: node.start });
    }
    if (node.type.startsWith("Import") || node.type === "TemplateLiteral") return;
    for (const child of Object.values(node)) visit(child);
  }
}

function nameOf(callee) {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "MemberExpression") return nameOf(callee.object);
  if (callee.type === "CallExpression") return nameOf(callee.callee);
  return "";
}

function textOf(node) {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral") return node.quasis.map(({ value }) => value.cooked).join("code");
  return undefined;
}

/** Every file with text that people read and that is written by hand. */
export function ownFiles(folders = []) {
  const files = execFileSync("git", ["ls-files", "--", ...folders], { cwd: ROOT, encoding: "utf8" }).split(
    "\n",
  );
  return files.filter(
    (file) =>
      /\.(?:[cm]?[jt]sx?|proto|md)$/.test(file) &&
      !/^(?:gen|proto\/google|proto\/grpc|test\/fixtures|docs\/.*errors\.md)/.test(file),
  );
}

/** Every sentence of a file; a faulty one has its fault and the line where its passage begins. */
export function sentencesIn(file) {
  const source = readFileSync(path.join(ROOT, file), "utf8");
  return passagesOf(file, source).flatMap(({ kind, text, start }) =>
    sentencesOf(text).map((sentence) => {
      const fault = faultOf(sentence);
      return {
        file,
        kind,
        sentence,
        ...(fault && { fault, line: source.slice(0, start).split("\n").length }),
      };
    }),
  );
}

/** Where a file belongs in the table of budgets: the folder below `src`, else the top folder. */
function folderOf(file) {
  const folders = path.dirname(file).split("/");
  return folders.slice(0, folders[0] === "src" ? 2 : 1).join("/");
}

/** @returns {Map<string, { sentences: number, opener: number, word: number }>} by folder and kind of text */
export function countByFolder(sentences) {
  const counts = new Map();
  for (const { file, kind, fault } of sentences) {
    const key = `${folderOf(file)}: ${kind}`;
    const count = counts.get(key) ?? { sentences: 0, opener: 0, word: 0 };
    counts.set(key, count);
    count.sentences++;
    if (fault) count[fault]++;
  }
  return counts;
}

/** Faulty sentences that each folder may still have, without those that have none. */
export function budgetsOf(counts) {
  const kept = [...counts].toSorted().filter(([, { opener, word }]) => opener + word > 0);
  return Object.fromEntries(kept.map(([key, { opener, word }]) => [key, { opener, word }]));
}

export const BUDGETS = path.join(ROOT, "test/fixtures/plain-words.json");

function printCounts(counts) {
  const totals = {};
  for (const [key, { sentences, opener, word }] of [...counts].toSorted()) {
    console.log(
      `${key.padEnd(36)} ${String(sentences).padStart(6)} ${String(opener).padStart(5)} ${String(word).padStart(5)}`,
    );
    const kind = key.split(": ")[1];
    totals[kind] ??= [0, 0, 0];
    for (const [index, number] of [sentences, opener, word].entries()) totals[kind][index] += number;
  }
  for (const [kind, [sentences, opener, word]] of Object.entries(totals)) {
    const share = (number) => `${((100 * number) / sentences).toFixed(2)} %`;
    console.log(
      `${kind}: ${sentences} sentences, ${opener} openers (${share(opener)}), ${word} words (${share(word)})`,
    );
  }
}

function printFaulty(sentences, listed) {
  for (const { file, line, kind, sentence, fault } of sentences)
    if (fault && (listed === "all" || fault === listed)) console.log(`${file}:${line}: ${kind}: ${sentence}`);
}

if (process.argv[1] === import.meta.filename) {
  const [option, ...rest] = process.argv.slice(2);
  if (option === "--budget") {
    const counts = countByFolder(ownFiles().flatMap(sentencesIn));
    writeFileSync(BUDGETS, `${JSON.stringify(budgetsOf(counts), null, 2)}\n`);
  } else if (option === "--list") {
    const [listed, ...folders] = rest;
    printFaulty(ownFiles(folders).flatMap(sentencesIn), listed);
  } else printCounts(countByFolder(ownFiles(process.argv.slice(2)).flatMap(sentencesIn)));
}
