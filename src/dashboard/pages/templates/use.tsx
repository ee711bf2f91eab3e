import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { templateUseQuery } from "../../api/templates.ts";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

/** The resources that use a template, and the messages that were accepted with it. */
export function Use({ name }: { readonly name: string }) {
  const query = useQuery(templateUseQuery(name));
  const may = useMay();
  return (
    <section className="card" aria-labelledby="use">
      <header>
        <h2 id="use">{t.templates.useTitle}</h2>
      </header>
      <div className="body">
        <StateView
          query={query}
          empty={{
            when: (found) => found === null,
            view: <p className="muted tight">{t.problem.notFound}</p>,
          }}
        >
          {(found) =>
            found && (
              <dl className="facts even">
                <dt>{t.templates.accepted}</dt>
                <dd>
                  <span className="num">{numberText(found.accepted_count)}</span>{" "}
                  {may("messages.read") && (
                    <Link to="/messages" search={{ template: name }} className="link">
                      {t.templates.itsMessages}
                    </Link>
                  )}
                </dd>
                <dt>{t.templates.lastUsed}</dt>
                <dd>{found.last_used_on ?? t.templates.notUsedYet}</dd>
                <dt>{t.templates.usersTitle}</dt>
                <dd>
                  {found.used_by.length === 0 && t.templates.noUsers}
                  {found.used_by.map(({ kind, id, name: user }) => (
                    <div key={`${kind} ${id}`}>
                      {user || id} <span className="faint">{t.templates.kinds[kind] ?? kind}</span>
                    </div>
                  ))}
                  {found.used_by_count > found.used_by.length &&
                    t.templates.moreUsers(found.used_by_count - found.used_by.length)}
                </dd>
              </dl>
            )
          }
        </StateView>
      </div>
    </section>
  );
}
