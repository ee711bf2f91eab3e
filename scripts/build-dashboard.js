// Builds the pages of the dashboard into dist/dashboard, unless they are up to date, and compresses them. The
// edge serves these files.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { slimContracts } from "./slim-contracts.js";

const ROOT = path.resolve(import.meta.dirname, "..");
const BUILT = path.join(ROOT, "dist/dashboard");
/** The document of the API reference and its scripts. */
const FRAME = path.join(BUILT, "reference-frame");
const SUM = path.join(BUILT, "sources.sha256");

/** Scalar's placeholder of a key. */
const PLACEHOLDER = "QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT";

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
      // The code editor has 530 kB. Only the pages that show it load it.
      chunkSizeWarningLimit: 600,
      // On a busy machine it warns of time that callbacks spend in waiting.
      rolldownOptions: { checks: { bundlerTimings: false } },
      target: "baseline-widely-available",
    },
  });
  await buildReferenceFrame();
  return async () => {
    const folders = [path.join(BUILT, "assets"), FRAME];
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
    await Promise.all(files.filter((file) => /\.(js|css)$/.test(file)).map(compress));
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
        return [...names]
          .filter((name) => !bundle[name].isEntry)
          .map((name) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `./${name}` },
            injectTo: "head",
          }));
      },
    },
  };
}

/**
 * Writes the document of the API reference. Its scripts are no modules: browsers load a module into a document without
 * an origin only from servers that allow it.
 */
async function buildReferenceFrame() {
  const { rolldown } = await import("rolldown");
  const source = path.join(ROOT, "src/dashboard/reference-frame");
  const bundle = await rolldown({ input: path.join(source, "start.ts"), platform: "browser" });
  const { output } = await bundle.write({
    dir: FRAME,
    format: "iife",
    entryFileNames: "start-[hash].js",
    minify: true,
  });
  await bundle.close();
  const scalar = readFileSync(scalarFile(), "utf8").replaceAll(PLACEHOLDER, "hm_live_…");
  const scalarName = `scalar-${createHash("sha256").update(scalar).digest("hex").slice(0, 8)}.js`;
  writeFileSync(path.join(FRAME, scalarName), scalar);
  const page = readFileSync(path.join(source, "index.html"), "utf8")
    .replace("START_SCRIPT", output[0].fileName)
    .replace("SCALAR_SCRIPT", scalarName);
  writeFileSync(path.join(FRAME, "index.html"), page);
}

/** The bundle of Scalar for browsers, which the page at `/docs` loads too. */
function scalarFile() {
  const plugin = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference");
  return path.join(path.dirname(plugin), "js/standalone.js");
}

async function compress(file) {
  const content = readFileSync(file);
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    // Quality 11 takes ten seconds for Scalar, and makes it a tenth smaller.
    [constants.BROTLI_PARAM_QUALITY]: content.length > 1_000_000 ? 9 : 11,
  };
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}
