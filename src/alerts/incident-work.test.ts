import { describe, expect, it } from "vitest";
import { createAlertWorld } from "../../test/harness/alert-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
type World = ReturnType<typeof createAlertWorld>;

const notices = ({ mails }: World) => mails.map(({ notice, atMs }) => [notice.reason, atMs]);
const kinds = ({ history }: World) => history.map(({ kind }) => kind);
const escalation = {
  steps: [{ afterMs: 10 * MINUTE, recipients: ["lead@example.com"] }],
  rounds: 3,
};

describe("a snooze", () => {
  it("suppresses news, repeats and escalation, and ends with a notice of all active alerts", () => {
    const world = createAlertWorld({ groupBy: ["source"], repeatMs: HOUR, escalation });
    world.fire({ entityId: "a" });
    world.pass(MINUTE);
    world.snooze(5 * HOUR);
    world.fire({ entityId: "b" });
    world.pass(4 * HOUR);
    expect(notices(world)).toEqual([["first", 0]]);
    world.pass(HOUR + MINUTE);
    expect(notices(world)).toEqual([
      ["first", 0],
      ["snooze_ended", 5 * HOUR + MINUTE],
    ]);
    expect(
      world.mails
        .at(-1)
        ?.notice.alerts.map(({ entityId }) => entityId)
        .sort(),
    ).toEqual(["a", "b"]);
    world.pass(10 * MINUTE);
    expect(notices(world).at(-1)).toEqual(["escalation", 5 * HOUR + 11 * MINUTE]);
  });

  it("of an acknowledged incident opens it again at its end", () => {
    const world = createAlertWorld();
    world.fire();
    world.acknowledge();
    world.snooze(HOUR);
    expect(world.open()).toMatchObject([{ state: "acknowledged" }]);
    world.pass(HOUR);
    expect(world.open()).toMatchObject([{ state: "open" }]);
    expect(world.open()[0]).not.toHaveProperty("acknowledgedBy");
    expect(notices(world).at(-1)).toEqual(["snooze_ended", HOUR]);
  });

  it("ends when the severity rises, and when a critical alert arrives that no notice has named", () => {
    const risen = createAlertWorld();
    risen.fire({ severity: "info" });
    risen.pass(MINUTE);
    risen.snooze(5 * HOUR);
    risen.fire({ severity: "warning" });
    const added = createAlertWorld({ groupBy: ["source"] });
    added.fire({ entityId: "a", severity: "critical" });
    added.pass(MINUTE);
    added.snooze(5 * HOUR);
    added.fire({ entityId: "b", severity: "warning" });
    expect(added.open()).toMatchObject([{ snoozedBy: "ada" }]);
    added.fire({ entityId: "c", severity: "critical" });
    for (const world of [risen, added]) {
      expect(notices(world)).toEqual([
        ["first", 0],
        ["severity", MINUTE],
      ]);
      expect(world.open()[0]).not.toHaveProperty("snoozedUntil");
    }
  });

  it("does not suppress the end of the incident, after which nothing follows", () => {
    const world = createAlertWorld();
    world.fire();
    world.snooze(HOUR);
    world.pass(MINUTE);
    world.end();
    world.pass(2 * HOUR);
    expect(notices(world)).toEqual([
      ["first", 0],
      ["resolved", MINUTE],
    ]);
  });

  it("before the first notice delays it until its end", () => {
    const world = createAlertWorld({ waitMs: 5 * MINUTE });
    world.fire();
    world.snooze(HOUR);
    world.pass(2 * HOUR);
    expect(notices(world)).toEqual([["first", HOUR]]);
  });

  it("ends at its time for a silenced incident, and its notice follows the silence", () => {
    const world = createAlertWorld();
    world.fire();
    world.snooze(HOUR);
    world.silence(3 * HOUR);
    world.pass(2 * HOUR);
    expect(world.open()[0]).not.toHaveProperty("snoozedUntil");
    world.pass(2 * HOUR);
    expect(notices(world)).toEqual([
      ["first", 0],
      ["snooze_ended", 3 * HOUR],
    ]);
  });

  it("that a member ends early sends what is due since then, and begins the escalation again", () => {
    const world = createAlertWorld({ groupBy: ["source"], escalation });
    world.fire({ entityId: "a" });
    world.pass(MINUTE);
    world.snooze(5 * HOUR);
    world.fire({ entityId: "b" });
    world.pass(30 * MINUTE);
    world.endSnooze();
    world.pass(15 * MINUTE);
    expect(notices(world)).toEqual([
      ["first", 0],
      ["new", 31 * MINUTE],
      ["escalation", 41 * MINUTE],
    ]);
  });

  it("ends with an acknowledgement, after which no notice follows", () => {
    const world = createAlertWorld({ repeatMs: HOUR, escalation });
    world.fire();
    world.snooze(HOUR);
    world.acknowledge();
    world.pass(24 * HOUR);
    expect(notices(world)).toEqual([["first", 0]]);
  });

  it("does not withdraw a notice with fixed contents", () => {
    const world = createAlertWorld();
    world.fire({}, false);
    world.snooze(HOUR);
    expect(notices(world)).toEqual([["first", 0]]);
  });
});

describe("a withdrawn acknowledgement", () => {
  it("sends nothing by itself, repeats again, and begins the escalation with its first step", () => {
    const world = createAlertWorld({ repeatMs: HOUR, escalation });
    world.fire();
    world.acknowledge();
    world.pass(5 * MINUTE);
    world.unacknowledge();
    expect(notices(world)).toEqual([["first", 0]]);
    world.pass(10 * MINUTE);
    expect(notices(world).at(-1)).toEqual(["escalation", 15 * MINUTE]);
    expect(world.open()).toMatchObject([{ state: "open" }]);
    expect(kinds(world)).toEqual(["opened", "notice", "acknowledged", "unacknowledged", "notice"]);
  });
});

describe("a reopened incident", () => {
  it("has the alerts that are still active, notifies that, and ends with them", () => {
    const world = createAlertWorld({ groupBy: ["source"], escalation });
    for (const entityId of ["a", "b"]) world.fire({ entityId });
    world.pass(2 * MINUTE);
    world.resolveAll();
    world.pass(MINUTE);
    world.end({ entityId: "a" });
    world.reopen();
    expect(world.open()).toMatchObject([{ state: "open", firing: 1 }]);
    expect(world.open()[0]).not.toHaveProperty("expireAt");
    world.pass(10 * MINUTE);
    expect(notices(world).slice(2)).toEqual([
      ["resolved", 2 * MINUTE],
      ["reopened", 3 * MINUTE],
      ["escalation", 13 * MINUTE],
    ]);
    world.end({ entityId: "b" });
    expect(world.open()).toEqual([]);
    expect(notices(world).at(-1)?.[0]).toBe("resolved");
  });

  it("without an active alert stays open until a member resolves it", () => {
    const world = createAlertWorld();
    world.fire();
    world.end();
    world.reopen();
    world.fire();
    world.end();
    world.pass(24 * HOUR);
    expect(world.open()).toMatchObject([{ firing: 0, uncounted: 1 }]);
    world.resolveAll();
    expect(world.open()).toEqual([]);
    expect(notices(world).map(([reason]) => reason)).toContain("reopened");
  });

  it("is not resolved twice for recipients that were not notified in between", () => {
    const world = createAlertWorld();
    world.fire();
    world.resolveAll();
    world.silence(HOUR);
    world.reopen();
    world.pass(MINUTE);
    world.end();
    expect(notices(world).map(([reason]) => reason)).toEqual(["first", "resolved"]);
  });
});
