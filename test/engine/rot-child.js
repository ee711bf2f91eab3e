// Changes stored documents behind the engine's back, as a disk may; their index entries stay as they are.
import path from "node:path";
import Database from "libsql";

const [directory, marker, kind] = process.argv.slice(2);
const database = new Database(path.join(directory, "hermod.sqlite"));
const tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'd[0-9]*'";
for (const [table] of database.prepare(tables).raw().all()) {
  for (const [row, document] of database.prepare(`SELECT rid, doc FROM ${table}`).raw().all()) {
    const at = document.indexOf(marker);
    if (at < 0) continue;
    // The length of the text is beyond the document, or one bit of it is another.
    if (kind === "broken") document.writeInt32LE(9_999, at - 4);
    else document[at] ^= 1;
    database.prepare(`UPDATE ${table} SET doc = ? WHERE rid = ?`).run(document, row);
  }
}
database.close();
