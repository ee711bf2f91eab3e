import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import { DEFAULT_COLOR } from "../brand-colors.ts";
import { sizeOfPng } from "../labels/clean-png.ts";
import { coverOf } from "./cover.ts";
import { changesSection, domainsSection } from "./domain-sections.ts";
import { findingsSection, fixesSection, notMeasuredSection } from "./finding-sections.ts";
import { createFormats } from "./formats.ts";
import { listingsSection } from "./listing-section.ts";
import { methodSection } from "./method-section.ts";
import { plainText } from "./plain-text.ts";
import type { ReportDocument } from "./report-document.ts";
import { rulesSection } from "./rules-section.ts";
import { dmarcSection, sendingSection } from "./sending-sections.ts";

/**
 * A readable report, independent of the format.
 * @param logo PNG that `cleanPng` has written; undefined: none
 * @throws RangeError for a locale or time zone that `Intl` does not support
 */
export function writeDocument(report: IntelReport, logo?: Uint8Array): ReportDocument {
  const formats = createFormats(report.locale, report.timezone);
  const sections = [
    changesSection,
    domainsSection,
    listingsSection,
    rulesSection,
    sendingSection,
    dmarcSection,
    findingsSection,
    fixesSection,
    notMeasuredSection,
    methodSection,
  ].flatMap((write) => write(report, formats) ?? []);
  const { branding, scope } = report;
  return {
    title: "E-mail deliverability report",
    subject: plainText(scope.name),
    brandName: branding.name === null ? null : plainText(branding.name),
    brandColor:
      branding.color !== null && /^#[0-9a-f]{6}$/i.test(branding.color) ? branding.color : DEFAULT_COLOR,
    logo: logo ? { png: logo, ...sizeOfPng(logo) } : null,
    cover: coverOf(report, formats),
    sections,
    mark: `${report.id} · ${formats.time(report.generated_at)}`,
    generatedAt: new Date(report.generated_at),
  };
}
