import { z } from "zod";
import { accountId, moment } from "../dashboard/common.ts";
import { weeklyWindow } from "./alert-notification.ts";
import { revision } from "./revision.ts";
import { settingVersion } from "./setting-versions.ts";
import { text, texts } from "./text-field.ts";

/** Schemas of on-call schedules. */

export const participant = z
  .strictObject({
    user_id: text("Id of a member of the account.", "usr_01k9z4c3r8h2v6y0n5t7w1x3q9").optional(),
    address: text("E-mail address.", "bob@example.net").optional(),
  })
  .meta({ id: "OnCallParticipant", description: "A member or an e-mail address: exactly one of the two." });

const person = z
  .object({
    user_id: text("Id of the user. Empty for an e-mail address.", "usr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    address: text(
      "Present e-mail address. Empty if the user is no longer a member of the account.",
      "ada@example.com",
    ),
  })
  .meta({ id: "OnCallPerson", description: "A participant with its present address." });

const layer = z
  .strictObject({
    name: text("1 to 100 characters, unique within the schedule.", "Weekly"),
    participants: z
      .array(participant)
      .meta({ description: "1 to 50 participants in the order of their shifts." }),
    starts_at: moment("Begin of the shift of the first participant.", "2030-01-07T08:00:00.000Z"),
    time_zone: text("IANA time zone of handovers and windows.", "Europe/Berlin"),
    shift: z
      .strictObject({
        length: z
          .int()
          .min(1)
          .max(744)
          .meta({ description: "Up to 744 hours, 366 days or 52 weeks.", examples: [1] }),
        unit: z
          .enum(["hour", "day", "week"])
          .meta({ description: "Unit of the length.", examples: ["week"] }),
      })
      .meta({
        id: "OnCallShiftLength",
        description:
          "Length of each shift in local time. On a day with a clock change it has one hour more or less.",
      }),
    handover: z
      .strictObject({
        time: text(
          "Local time at which shifts begin. Shifts of several hours begin at this time, and then after each length. Missing: the local time of `starts_at`.",
          "09:00",
        ).optional(),
        weekday: z
          .int()
          .min(1)
          .max(7)
          .optional()
          .meta({
            description:
              "Weekday on which shifts of weeks begin: 1 is Monday, 7 is Sunday. Missing: the weekday of `starts_at`.",
            examples: [1],
          }),
      })
      .meta({
        id: "OnCallHandover",
        description: "Local time at which one participant follows another. The first shift can be shorter.",
      })
      .optional(),
    windows: z
      .array(
        weeklyWindow({ days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" }).meta({
          id: "OnCallWindow",
          description: "Weekly time range, in local time.",
        }),
      )
      .optional()
      .meta({ description: "Up to 20 windows in which the layer applies. Empty: all times." }),
  })
  .meta({ id: "OnCallLayer", description: "A rotation of participants, one shift each." });

export const onCallSettings = {
  name: text("1 to 100 characters of `a-z 0-9 . _ -`.", "primary"),
  description: text("Description for people, at most 200 characters.", "First level").optional(),
  layers: z.array(layer).meta({
    description:
      "1 to 10 rotations. At each time, the last layer with a participant on call applies. A user who has left the account is skipped.",
  }),
  fallback_recipients: texts(
    "1 to 50 addresses that are notified when no participant is on call.",
    "ops@example.com",
  ),
};

const schedule = z.strictObject(onCallSettings).meta({
  id: "OnCallScheduleSettings",
  description: "Settings of an on-call schedule.",
});

export const onCallSchedule = z
  .object({
    id: text("Id of the schedule. It stays when a schedule is replaced.", "ocs_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    settings: schedule,
    people: z
      .array(person)
      .meta({ description: "Participants of all layers with their present addresses, each once." }),
    created_at: moment("Time when the schedule was created."),
    updated_at: moment("Time of the last change of its settings."),
    revision,
  })
  .meta({
    id: "OnCallSchedule",
    description: "A schedule that decides which participant receives the mail of alert rules.",
  });

export const onCallScheduleVersion = settingVersion.extend({ content: schedule }).meta({
  id: "OnCallScheduleVersion",
  description: "A version of an on-call schedule with its settings.",
});

const onCallPerson = person.optional().meta({
  description: "Participant on call. Missing if there is none: the fallback recipients are notified.",
});

export const onCallShift = z
  .object({
    from: moment("Start of the shift."),
    until: moment("End of the shift, exclusive.", "2026-11-29T08:00:00.000Z"),
    person: onCallPerson,
    layer: text("Name of the layer that assigns the shift. Empty if no layer does.", "Weekly"),
    override_id: text("Id of the override that assigns the shift. Empty if no override does.", ""),
  })
  .meta({
    id: "OnCallShift",
    description: "Time in which the same participant is on call for the same reason.",
  });

export const onCallNow = z
  .object({
    at: moment("Time of the answer."),
    shift: onCallShift,
    recipients: texts(
      "Addresses that a notification at this time is sent to: that of the person, or the fallback recipients.",
      "ada@example.com",
    ),
  })
  .meta({ id: "OnCallNow", description: "The participant who is on call at a time." });

const duty = z
  .object({
    from: moment("Start."),
    until: moment(
      "End, exclusive. Missing if it does not end within the next 60 days.",
      "2026-11-29T08:00:00.000Z",
    ).optional(),
    person: onCallPerson,
  })
  .meta({ id: "OnCallDuty", description: "Time in which the same participant is on call, for any reason." });

export const onCallState = z
  .object({
    name: text("Name of the schedule.", "primary"),
    time_zone: text("Time zone of the first layer.", "Europe/Berlin"),
    now: duty.optional().meta({
      description:
        "Time on call that includes now. It begins now. Missing if the schedule cannot be evaluated.",
    }),
    next: duty.optional().meta({
      description:
        "Time on call of the next participant. Missing if nothing changes within the next 60 days.",
    }),
    recipients: texts(
      "Addresses that a notification is sent to now: that of the person, or the fallback recipients.",
      "ada@example.com",
    ),
    own: z.array(duty).meta({
      description:
        "The next times on call of the requested member within 60 days, at most five. The first one may include now. Empty if no member is requested.",
    }),
  })
  .meta({ id: "OnCallState", description: "The participants of a schedule who are on call now and next." });

export const onCallOverride = z
  .object({
    id: text("Id of the override.", "oco_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    person,
    from: moment("Start of the override."),
    until: moment("End of the override, exclusive.", "2026-11-29T08:00:00.000Z"),
    comment: text("Reason for the override. May be empty.", "Dentist"),
    created_by: text("Name of the actor that created the override.", "ada@example.com"),
    created_at: moment("Time when the override was created."),
    state: text("`pending`, `active` or `ended`.", "active"),
  })
  .meta({ id: "OnCallOverride", description: "A participant that replaces the layers for a time." });
