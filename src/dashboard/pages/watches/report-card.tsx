import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { reportInboxQuery } from "../../api/aggregate-reports.ts";
import type { Watch } from "../../api/watches.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

const UploadReports = lazy(async () => ({ default: (await import("./upload-reports.tsx")).UploadReports }));

/** The aggregate reports about a domain: how many were received, the address for them, and an upload. */
export function ReportCard({ watch: { id } }: { readonly watch: Watch }) {
  const query = useQuery(reportInboxQuery(id));
  const may = useMay();
  const [isUploading, setUploading] = useState(false);
  return (
    <section className="card" aria-labelledby="reports">
      <header>
        <h2 id="reports">{t.watches.reports}</h2>
        <Link to="/intel/dmarc" search={{ domain_id: id }} className="link">
          {t.watches.dmarcLink}
        </Link>
      </header>
      <div className="body stack small-gap">
        <StateView query={query}>
          {({ dmarc, tls, refused, last_at: last, dmarc_report_address: address }) => (
            <>
              <p className="tight">
                {dmarc + tls === 0 ? t.watches.noReports : t.watches.reportCounts(dmarc, tls)}{" "}
                {refused > 0 && t.watches.refusedReports(refused)}{" "}
                {last && (
                  <span className="muted">
                    {t.watches.reportedAt} <Time at={last} withDay />.
                  </span>
                )}
              </p>
              {address && (
                <>
                  <CopyField label={t.watches.reportAddress} value={address} />
                  <p className="faint tight">{t.watches.reportAddressDetail}</p>
                </>
              )}
            </>
          )}
        </StateView>
        {may("intel.write") && (
          <div>
            <Button variant="default" size="xs" onClick={() => setUploading(true)}>
              {t.watches.upload}
            </Button>
          </div>
        )}
      </div>
      <Suspense>
        {isUploading && <UploadReports domainId={id} onClose={() => setUploading(false)} />}
      </Suspense>
    </section>
  );
}
