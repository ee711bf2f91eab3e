import { describe, expect, it } from "vitest";
import { firstValues, reportBody } from "./report-values.ts";

const now = new Date("2030-03-15T10:00:00.000Z");
const at = { workspace: undefined, now, timezone: "Europe/Berlin" };

describe("the request of a new report", () => {
  it("covers the subject that the list shows", () => {
    const values = firstValues({ scope_type: "client", scope_id: "cl_1" });
    expect(reportBody(values, at)).toEqual({
      scope: { type: "client", id: "cl_1" },
      period: { from: "2030-02-13T10:00:00.000Z", to: "2030-03-15T10:00:00.000Z" },
      format: "html",
      timezone: "Europe/Berlin",
    });
  });

  it("covers the chosen workspace, or the first one", () => {
    const values = firstValues({ scope_type: "other" });
    expect(reportBody(values, at).scope).toEqual({ type: "workspace" });
    expect(reportBody(values, { ...at, workspace: "ws_2" }).scope).toEqual({ type: "workspace", id: "ws_2" });
  });

  it("covers the last calendar month, and only the chosen sections", () => {
    const body = reportBody({ type: "domain", id: "dom_1", period: "month", sections: ["fixes"] }, at);
    expect([
      new Date(body.period?.from ?? "").getMonth(),
      new Date(body.period?.to ?? "").getMonth(),
    ]).toEqual([1, 2]);
    expect(body.sections).toEqual(["fixes"]);
  });
});
