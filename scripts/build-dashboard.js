// Builds the pages of the dashboard into dist/dashboard, unless they are up to date, and compresses them. The
// edge serves these files.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { slimContracts } from "./slim-contracts.js";

const ROOT = path.resolve(import.meta.dirname, "..");
const BUILT = path.join(ROOT, "dist/dashboard");
const SUM = path.join(BUILT, "sources.sha256");

/** Checksum of the inputs of the pages: their sources, contracts, and the versions of packages. */
function sumOfSources() {
  const hash = createHash("sha256");
  hash
    .update(readFileSync(path.join(ROOT, "scripts/slim-contracts.js")))
    .update(readFileSync(import.meta.filename));
  for (const folder of ["src/dashboard", "contracts"]) {
    const files = readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
    const names = files.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
    for (const name of names.sort())
      hash.update(path.relative(ROOT, name)).update("\0").update(readFileSync(name));
  }
  return hash.update(readFileSync(path.join(ROOT, "package-lock.json"))).digest("hex");
}

/**
 * Builds the pages where their sources have changed.
 * @returns compresses what was built, so that other work can go on beside it
 */
export async function buildDashboard() {
  const sum = sumOfSources();
  if (existsSync(SUM) && readFileSync(SUM, "utf8") === sum) return async () => {};
  // A test has another NODE_ENV, by which React would be built in its slow form for development.
  process.env.NODE_ENV = "production";
  // Loaded only to build: a start with pages that are built needs neither.
  const [{ build }, { default: react }] = await Promise.all([import("vite"), import("@vitejs/plugin-react")]);
  await build({
    configFile: false,
    logLevel: "warn",
    root: path.join(ROOT, "src/dashboard"),
    // The page says by its `base` element where it is, so that Hermod can be served under a path.
    base: "./",
    plugins: [slimContracts(), react(), preloadApp()],
    // The edge replaces it with a new nonce for each page.
    html: { cspNonce: "CSP_NONCE" },
    build: {
      outDir: BUILT,
      emptyOutDir: true,
      // Pages take fonts and pictures from files alone.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // On a busy machine it warns of time that callbacks spend in waiting.
      rolldownOptions: { checks: { bundlerTimings: false } },
      target: "baseline-widely-available",
    },
  });
  return async () => {
    const assets = path.join(BUILT, "assets");
    const names = readdirSync(assets).filter((one) => /\.(js|css)$/.test(one));
    await Promise.all(names.map((name) => compress(path.join(assets, name))));
    // Last: what is not compressed is built again.
    writeFileSync(SUM, sum);
  };
}

/** The entry imports the pages once it has the texts of their language: the document loads them earlier. */
function preloadApp() {
  return {
    name: "preload-app",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
        const app = chunks.find((one) => one.facadeModuleId?.endsWith("/src/dashboard/app.tsx"));
        if (!app) throw new Error("The build has no chunk of app.tsx.");
        const names = new Set([app.fileName]);
        for (const name of names) for (const next of bundle[name]?.imports ?? []) names.add(next);
        return [...names].map((name) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `./${name}` },
          injectTo: "head",
        }));
      },
    },
  };
}

async function compress(file) {
  const content = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}
