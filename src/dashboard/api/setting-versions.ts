import type { z } from "zod";
import type { settingDifference, settingVersion } from "../../../contracts/common/setting-versions.ts";

/** A version of settings, without its content. */
export type SettingVersion = z.output<typeof settingVersion>;
/** The fields that differ between two versions of settings. */
export type SettingDifference = z.output<typeof settingDifference>;
