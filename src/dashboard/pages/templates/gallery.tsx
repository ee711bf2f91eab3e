import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { builtInTemplatesQuery } from "../../api/templates.ts";
import { StateView } from "../../parts/state-view.tsx";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";

/** The built-in templates. Each opens its preview. */
export function Gallery() {
  const query = useQuery(builtInTemplatesQuery);
  return (
    <StateView query={query}>
      {({ data }) => (
        <ul className="gallery" aria-label={t.templates.gallery}>
          {data.map(({ name, title, description }) => (
            <li key={name}>
              <Link to="/templates/-/new" search={{ from: name }} activeProps={{}}>
                <b>{ownText(t.server.builtIns, name)?.title ?? title}</b>
                <span className="muted">{ownText(t.server.builtIns, name)?.description ?? description}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </StateView>
  );
}
