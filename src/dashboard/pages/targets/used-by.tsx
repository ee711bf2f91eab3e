import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { allRulesQuery } from "../../api/rules.ts";
import type { Target } from "../../api/targets.ts";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { rulesOf } from "./rules-of.ts";

/** The rules that notify a target: without one, it receives nothing. */
export function UsedBy({ target: { id } }: { readonly target: Target }) {
  const query = useQuery(allRulesQuery);
  const mayChange = useMay()("alerts.write");
  const create = mayChange && (
    <Link to="/alert-rules/-/new" search={{ target: id }} className="link">
      {t.targets.makeRule}
    </Link>
  );
  return (
    <section className="card" aria-labelledby="used-by">
      <header>
        <h2 id="used-by">{t.targets.usedBy}</h2>
      </header>
      <StateView
        query={query}
        empty={{
          when: ({ rows }) => rulesOf(id, rows).length === 0,
          view: (
            <div className="notice">
              <strong>{t.targets.noRule}</strong>
              <p className="muted">{t.targets.noRuleDetail}</p>
              {create}
            </div>
          ),
        }}
      >
        {({ rows }) => (
          <div className="body stack small-gap">
            {rulesOf(id, rows).map(({ name, isEnabled, isEscalation }) => (
              <div key={name}>
                <Link to="/alert-rules/$name" params={{ name }} className="link">
                  {name}
                </Link>
                {isEscalation && <span className="faint"> {t.targets.byEscalation}</span>}
                {!isEnabled && <span className="faint"> {t.targets.disabledRule}</span>}
              </div>
            ))}
          </div>
        )}
      </StateView>
    </section>
  );
}
