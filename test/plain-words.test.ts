import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  BUDGETS,
  budgetsOf,
  countByFolder,
  faultOf,
  ownFiles,
  sentencesIn,
  sentencesOf,
} from "../scripts/plain-words.js";

type Budgets = Readonly<Record<string, { readonly opener: number; readonly word: number }>>;

const sentences = ownFiles().flatMap(sentencesIn);

describe("Hermod's own text", () => {
  it("counts a sentence by how it begins and by the words that it uses", () => {
    const faults = (text: string) => sentencesOf(text).map(faultOf);
    expect(faults("Whose it is. Account that owns the event.")).toEqual(["opener", undefined]);
    expect(faults("Who may read it. What it costs. Of all workers.")).toEqual(["opener", "opener", "opener"]);
    expect(faults("The client is told at once. The client receives the event at once.")).toEqual([
      "word",
      undefined,
    ]);
    // Code is no text.
    expect(faults("The command `look --whose thing` lists it.")).toEqual([undefined]);
  });

  it("has no more sentences that are hard to read than the budget of its folder", async () => {
    const allowed = JSON.parse(await readFile(BUDGETS, "utf8")) as Budgets;
    const counts: Budgets = budgetsOf(countByFolder(sentences));
    const over = Object.entries(counts).filter(([key, { opener, word }]) => {
      const budget = allowed[key] ?? { opener: 0, word: 0 };
      return opener > budget.opener || word > budget.word;
    });
    // `node scripts/plain-words.js --list all FOLDER` names the sentences.
    expect(over.map(([key, found]) => ({ key, found, allowed: allowed[key] }))).toEqual([]);
    // Fewer than that: `node scripts/plain-words.js --budget` lowers the budget, so that it only falls.
    expect(allowed).toEqual(counts);
  });
});
