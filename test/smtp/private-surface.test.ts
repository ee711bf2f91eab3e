import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it } from "vitest";

/*
 * Sessions are subclasses of private files of smtp-server. The record here has the parts that Hermod overrides, calls
 * or reads. If a release changes one of them, check src/smtp/ before you update the record.
 */
const require = createRequire(import.meta.url);
const FILES = ["smtp-connection", "smtp-server", "smtp-stream"] as const;
const NAME = /\b_[a-z]\w*/gi;

const ours = readdirSync("src/smtp", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(path.join("src/smtp", name), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""))
  .join("\n");
const used = new Set(ours.match(NAME));

/** Each private method that is used, with a digest of its text, and each private field. */
function surfaceOf(file: (typeof FILES)[number]): Record<string, string> {
  const module = require(`smtp-server/lib/${file}.js`) as Record<string, { prototype: object }>;
  const methods = Object.values(module)
    .flatMap(({ prototype }) => Object.entries(Object.getOwnPropertyDescriptors(prototype ?? {})))
    .filter(([name]) => used.has(name))
    .map(([name, { value }]) => [name, digest(String(value))] as const);
  const source = readFileSync(require.resolve(`smtp-server/lib/${file}.js`), "utf8");
  const fields = [...source.matchAll(/this\.(_\w+) = /g)]
    .map(([, name = ""]) => [name, "field"] as const)
    .filter(([name]) => used.has(name));
  return Object.fromEntries([...fields, ...methods].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

it("the private files of smtp-server that Hermod uses are unchanged", () => {
  expect(Object.fromEntries(FILES.map((file) => [file, surfaceOf(file)]))).toMatchInlineSnapshot(`
    {
      "smtp-connection": {
        "_armTimeout": "7d488d183a7b",
        "_closed": "field",
        "_closing": "field",
        "_createParser": "64259b0d8686",
        "_dataStream": "field",
        "_getEnhancedStatusCode": "c0488b13c426",
        "_handlerPending": "field",
        "_nextHandler": "field",
        "_onClose": "097b8d221da5",
        "_onCommand": "41c8a1b7a32a",
        "_onError": "ddcc47e46ea9",
        "_onTimeout": "f21be62dd64b",
        "_parser": "field",
        "_ready": "field",
        "_resetSession": "2bf7682ca138",
        "_setListeners": "cf07ab6f47db",
        "_socket": "field",
        "_upgrading": "field",
        "_whenWritable": "4335aceb04b5",
      },
      "smtp-server": {
        "_expectsProxyHeader": "6d9ae02b1564",
        "_handleProxy": "4a645d5a086d",
        "_onClose": "a9c7c4b96af4",
        "_onError": "01d6f6dc6b8d",
        "_pendingSockets": "field",
        "_setListeners": "39220ba3884c",
      },
      "smtp-stream": {
        "_countDataBytes": "4b938ebe6c99",
        "_dataMode": "field",
        "_dataStream": "field",
        "_endDataMode": "7de0cf3d0671",
        "_feedDataStream": "9d8b903f9a3a",
        "_flushData": "84553453dd02",
        "_write": "a72635ce53e2",
      },
    }
  `);
});
