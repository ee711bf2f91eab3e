import { Link } from "@tanstack/react-router";
import type { CatalogCheck } from "../../api/checks.ts";
import type { InsightScope } from "../../api/insights.ts";
import { ApiText } from "../../parts/api-text.tsx";
import { Fact } from "../../parts/fact.tsx";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";
import { RepairDomains } from "../intel-scope/repair-domains.tsx";

interface CatalogueEntryProps {
  readonly check: CatalogCheck;
  readonly scope: InsightScope;
}

/** The meaning of a check, and the domains that fail it. */
export function CatalogueEntry({ check, scope }: CatalogueEntryProps) {
  const { id, meaning, reference, needs, blacklist } = check;
  const translated = ownText(t.server.checkMeanings, id);
  return (
    <div className="stack">
      <p className="tight">{translated ?? <ApiText>{meaning}</ApiText>}</p>
      <dl className="facts">
        <Fact name={t.watches.source}>
          {blacklist === null ? (
            reference
          ) : (
            <a href={reference} className="link" target="_blank" rel="noreferrer">
              {reference}
            </a>
          )}
        </Fact>
        <Fact name={t.watches.id}>
          <span className="mono">{id}</span>
        </Fact>
        {needs !== null && (
          <Fact name={t.checks.needs}>
            <Link to="/intel/checks" search={(former) => ({ ...former, check: needs })} className="link">
              <span className="mono">{needs}</span>
            </Link>
          </Fact>
        )}
      </dl>
      {check.enabled === false ? (
        <p className="muted tight">{t.blacklists.health.notConfigured}</p>
      ) : (
        <section className="card" aria-label={t.checks.domains}>
          <header>
            <h2>{t.checks.domains}</h2>
          </header>
          <RepairDomains checkId={id} scope={scope} />
        </section>
      )}
    </div>
  );
}
