import { describe, expect, it } from "vitest";
import type { Schedule } from "../../api/schedules.ts";
import { blankSchedule, scheduleBody, valuesOf } from "./schedule-values.ts";

const stored: Schedule = {
  id: "rsc_1",
  workspace_id: "ws_1",
  name: "Monthly report",
  scope: { type: "client", id: "cl_1" },
  cadence: "monthly",
  weekday: null,
  day: 3,
  hour: 9,
  timezone: "Europe/Berlin",
  format: "html",
  paper: "letter",
  sections: ["fixes"],
  locale: "en-GB",
  branding: { name: "Acme", color: null },
  recipients: ["it@example.com"],
  from: "reports@acme.example",
  routing_policy: "reports",
  paused: false,
  created_at: "2030-01-01T00:00:00.000Z",
  updated_at: "2030-01-01T00:00:00.000Z",
  revision: "r1",
  next_run_at: null,
  under_way: null,
  last_run: null,
};

describe("the form of a schedule", () => {
  it("asks for a weekly report, with the day of the week only", () => {
    const values = { ...blankSchedule("UTC"), name: " Weekly ", id: "cl_1", from: "a@example.com" };
    expect(scheduleBody(values)).toEqual({
      name: "Weekly",
      scope: { type: "client", id: "cl_1" },
      cadence: "weekly",
      weekday: 1,
      hour: 8,
      timezone: "UTC",
      format: "pdf",
      recipients: [],
      from: "a@example.com",
    });
  });

  it("keeps the settings of a stored schedule that it does not show", () => {
    expect(scheduleBody(valuesOf(stored), stored)).toEqual({
      name: "Monthly report",
      scope: { type: "client", id: "cl_1" },
      cadence: "monthly",
      day: 3,
      hour: 9,
      timezone: "Europe/Berlin",
      format: "html",
      paper: "letter",
      sections: ["fixes"],
      locale: "en-GB",
      branding: { name: "Acme" },
      recipients: ["it@example.com"],
      from: "reports@acme.example",
      routing_policy: "reports",
    });
  });
});
