import path from "node:path";
import ts from "typescript";
import { allowedImports, freeAreas, typesOnly } from "./import-rules.ts";

/** Source files by path from the repository root, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

interface SourceFile {
  readonly file: string;
  /** Area as returned by `areaOf`. */
  readonly area: string;
  readonly lines: number;
  /** Paths from the root for relative imports, package names for others; type imports count. */
  readonly imports: readonly string[];
  /** Imports that are not for types only. */
  readonly valueImports: readonly string[];
  readonly readsEnvironment: boolean;
  readonly exportsDefault: boolean;
  /** Functions that follow the return of their block. */
  readonly afterReturn: readonly string[];
  /** Names that describe an action instead of an object: participles. */
  readonly participles: readonly string[];
  /** Whether its code names the store's scope for data of several accounts. */
  readonly reachesAcross: boolean;
}

/** Packages of databases, and the area that may use them; without an area, none may. */
const databasePackages: Readonly<Record<string, string | undefined>> = {
  mongodb: "src/store",
  bson: undefined,
  libsql: "src/engine",
  mingo: undefined,
};
/** The only engine file that other areas may import, and the area that starts it. */
const ENGINE = { entry: "src/engine/start-embedded-engine.ts", area: "src/roles" };
const MOST_LINES = 400;
/** The scope, its operator functions, and their types; a text may name a property. */
const ACROSS_ACCOUNTS = /^(?:acrossAccounts|operatorScope|operatorStore)$/i;
const PARTICIPLES = ["made", "here", "taken", "said"];

/** Returns every violation of the import rules in these files as a sentence; empty: none. */
export function breaches(sources: Sources): string[] {
  const files = [...sources].map(([file, text]) => read(file, text));
  return [...files.flatMap(breachesOf), ...cycles(files)];
}

/** Shorter files are justified only by at least two users. */
const FEW_LINES = 20;

/**
 * Returns files that are too small for their only user, as sentences.
 * @param others other text that may name them: unit tests, which also count as users
 */
export function fragments(sources: Sources, others: Sources): string[] {
  const users = new Map<string, number>();
  for (const [file, text] of [...sources, ...others]) {
    for (const target of importsOf(file, text)) users.set(target, (users.get(target) ?? 0) + 1);
  }
  return [...sources].flatMap(([file, text]) => {
    const lines = linesOf(text);
    // A thread's file is named where it is started, a declaration file nowhere, and the entry of the dashboard in its document.
    // Each dashboard page has its own route file, and each migration its own file.
    const isApart =
      /-thread\.ts$|\.d\.ts$|^src\/dashboard\/(routes\/|main\.tsx)|^src\/store\/migrations\/\d/.test(file) ||
      !file.startsWith("src/");
    const isShared = (users.get(file) ?? 0) > 1;
    return lines < FEW_LINES && !isApart && !isShared ? [`${file} has ${lines} lines and one user`] : [];
  });
}

/** Returns the files outside the store that work on data of several accounts. */
export function reachAcrossAccounts(sources: Sources): string[] {
  const files = [...sources].map(([file, text]) => read(file, text));
  return files
    .filter(({ area, reachesAcross }) => reachesAcross && area !== "src/store")
    .map(({ file }) => file);
}

/** Returns the names of the imported packages, without Node's own. */
export function packagesOf(sources: Sources): string[] {
  const imports = [...sources].flatMap(([file, text]) => importsOf(file, text));
  const names = imports
    .filter((target) => !/^(src|contracts|gen)\/|^node:/.test(target))
    .map((target) => target.split("/", target.startsWith("@") ? 2 : 1).join("/"));
  return [...new Set(names)].sort();
}

/** Functions that start a separate process, in which a test cannot wait for signals. */
const STARTERS =
  /\b(?:startHermod|startProcess|spawnHermod|runToEnd|startSingle|startFleet|startPostfix|DashboardWorld)\b/;

/** Returns the tests that poll events of their own process: they can wait for a signal. */
export function pollers(tests: Sources): string[] {
  return [...tests].flatMap(([file, text]) => {
    const imported = [...text.matchAll(/^import \{([^}]*)\}/gm)].map(([, names = ""]) => names).join();
    return /\beventually\b/.test(imported) && !STARTERS.test(imported)
      ? [`${file} polls its own process`]
      : [];
  });
}

function breachesOf(source: SourceFile): string[] {
  const { file, area } = source;
  const found = source.imports
    .filter((target) => !mayImport(area, target))
    .map((target) => `${file} may not import ${target}`);
  for (const target of source.valueImports)
    if (typesOnly[area]?.includes(areaOf(target))) found.push(`${file} may import only types of ${target}`);
  if (source.readsEnvironment && !["src/config.ts", "src/main.ts"].includes(file)) {
    found.push(`${file} reads process.env: only src/config.ts may`);
  }
  // A declaration file must describe the exports of its package.
  if (source.exportsDefault && !file.endsWith(".d.ts")) found.push(`${file} has a default export`);
  for (const name of source.afterReturn) found.push(`${file} has ${name} after a return`);
  for (const name of source.participles) found.push(`${file} calls something "${name}"`);
  if (!file.startsWith("src/")) return found;
  if (/^(index|utils)\.ts$/.test(path.posix.basename(file)))
    found.push(`${file} has a name that says nothing`);
  if (source.lines > MOST_LINES) found.push(`${file} has ${source.lines} lines, more than ${MOST_LINES}`);
  return found;
}

function mayImport(area: string, target: string): boolean {
  const name = target.replace(/^@types\//, "");
  const database = Object.keys(databasePackages).find(
    (found) => name === found || name.startsWith(`${found}/`),
  );
  if (database !== undefined) return databasePackages[database] === area;
  if (!/^(src|contracts|gen)\//.test(target)) return true;
  const targetArea = areaOf(target);
  if (targetArea === area) return true;
  if (targetArea === "src/engine") return area === ENGINE.area && target === ENGINE.entry;
  if (freeAreas.includes(area)) return true;
  const allowed = allowedImports[area] ?? [];
  return allowed.includes(targetArea) || allowed.includes(target);
}

/** `src/edge` for `src/edge/x.ts`, `src` for files at its top, `contracts` and `gen` as a whole. */
export function areaOf(file: string): string {
  const [top = "", ...rest] = file.split("/");
  return top === "src" && rest.length > 1 ? `src/${rest[0]}` : top;
}

function linesOf(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Returns the static imports of a file, for values and types: paths from the root, and names of packages. */
export function importsOf(file: string, text: string): string[] {
  const found = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return [...new Set(found.map((name) => targetOf(file, name)))];
}

function targetOf(file: string, name: string): string {
  return name.startsWith(".") ? path.posix.join(path.posix.dirname(file), name) : name;
}

/** Returns the module that a node loads at run time. */
function loadedBy(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node)) return node.importClause?.isTypeOnly ? undefined : node.moduleSpecifier;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly ? undefined : node.moduleSpecifier;
  const isImport = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport ? node.arguments[0] : undefined;
}

function read(file: string, text: string): SourceFile {
  let readsEnvironment = false;
  let exportsDefault = false;
  let reachesAcross = false;
  const afterReturn: string[] = [];
  const participles: string[] = [];
  const valueImports: string[] = [];
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const visit = (node: ts.Node): void => {
    const loaded = loadedBy(node);
    if (loaded && ts.isStringLiteralLike(loaded)) valueImports.push(targetOf(file, loaded.text));
    if (ts.isPropertyAccessExpression(node) && node.name.text === "env") {
      readsEnvironment ||= ts.isIdentifier(node.expression) && node.expression.text === "process";
    }
    if (ts.isBlock(node)) {
      const end = node.statements.findIndex(ts.isReturnStatement);
      const rest = end < 0 ? [] : node.statements.slice(end + 1);
      afterReturn.push(...rest.map((one) => (ts.isFunctionDeclaration(one) && one.name?.text) || "code"));
    }
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node))
      reachesAcross ||= ACROSS_ACCOUNTS.test(node.text);
    if (isDeclaration(node) && PARTICIPLES.includes(node.name.text)) participles.push(node.name.text);
    exportsDefault ||= ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword;
    exportsDefault ||= ts.isExportSpecifier(node) && node.name.text === "default";
    // `default:` of a switch has its own kind; the keyword alone is the modifier of an export.
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const lines = linesOf(text);
  const area = areaOf(file);
  return {
    file,
    area,
    lines,
    imports: importsOf(file, text),
    valueImports,
    readsEnvironment,
    exportsDefault,
    afterReturn,
    participles,
    reachesAcross,
  };
}

/** Whether the node declares a name. */
function isDeclaration(node: ts.Node): node is ts.Declaration & { readonly name: ts.Identifier } {
  const isNaming =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node);
  return isNaming && node.name !== undefined && ts.isIdentifier(node.name);
}

/** Returns each circle of imports once, by following every import to its end. */
function cycles(files: readonly SourceFile[]): string[] {
  const importsOf = new Map(files.map(({ file, imports }) => [file, imports]));
  const done = new Set<string>();
  const found: string[] = [];
  const follow = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push(`import cycle: ${[...trail.slice(start), file].join(" -> ")}`);
    if (start >= 0 || done.has(file)) return;
    for (const target of importsOf.get(file) ?? []) follow(target, [...trail, file]);
    done.add(file);
  };
  for (const { file } of files) follow(file, []);
  return found;
}
