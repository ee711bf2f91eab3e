// Makes and writes a report in a process of its own, and says how much CPU time it has had in all, on any machine however busy, and
// how much memory beyond that of its inputs. These come in by standard input, as V8 writes them.
import { readFileSync } from "node:fs";
import { deserialize } from "node:v8";
import { createReportRenderer } from "../../dist/src/intel/reports/render-report.js";

const inputs = deserialize(readFileSync(0));
const threadEntry = new URL("../../dist/program/render-thread.js", import.meta.url);
const megabytes = () => process.resourceUsage().maxRSS / 1_024;

const before = megabytes();
const renderer = createReportRenderer({ threadEntry });
const { bytes: json } = await renderer.render({ kind: "build", inputs });
const pdf = await renderer.render({ kind: "pdf", json, paper: "a4" });
const page = await renderer.render({ kind: "html", json });
await renderer.close();
const { user, system } = process.cpuUsage();
const seconds = (user + system) / 1e6;
process.stdout.write(
  JSON.stringify({ kinds: [pdf.kind, page.kind], seconds, megabytes: megabytes() - before }),
);
