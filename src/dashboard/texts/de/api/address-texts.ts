import type { FaultReason } from "../../../../../contracts/common/fault-texts/fault-texts.ts";

/** German texts of address faults, by reason. */
export const addressReasons = {
  no_address: "Die Adresse fehlt.",
  address_longer_than_characters: "Die Adresse ist länger als {max} Zeichen.",
  address_longer_than_octets: "Die Adresse ist länger als {max} Byte.",
  address_contains_line_break_control_character:
    "Die Adresse enthält einen Zeilenumbruch oder ein Steuerzeichen.",
  address_contains_characters_change_how_displayed:
    "Die Adresse enthält Zeichen, die ihre Darstellung verändern, oder ein ungültiges Zeichen.",
  address_starts_ends_space: "Die Adresse darf nicht mit einem Leerzeichen beginnen oder enden.",
  give_exactly_one_address_name_comma:
    "Geben Sie genau eine Adresse an. Ein Name mit Komma muss in Anführungszeichen stehen.",
  groups_not_accepted_give_exactly_one: "Gruppen sind nicht erlaubt. Geben Sie genau eine Adresse an.",
  text_link_leave_mailto_out_give: "Der Wert ist ein Link. Geben Sie nur die Adresse an, ohne mailto:",
  comments_parentheses_not_accepted: "Kommentare in Klammern sind nicht erlaubt.",
  comments_parentheses_not_accepted_address: "Kommentare in Klammern sind in einer Adresse nicht erlaubt.",

  angle_bracket_stands_where_none_belongs: "Die Adresse enthält eine spitze Klammer an der falschen Stelle.",
  angle_bracket_unopened: "Die Adresse hat ein > ohne ein <.",
  closing_quote_not_followed_address:
    "Auf das schließende Anführungszeichen muss ein @ oder eine Adresse in <> folgen.",
  quote_not_closed: "Ein Anführungszeichen ist nicht geschlossen.",
  quoted_name_not_followed_address: "Auf den Namen in Anführungszeichen muss eine Adresse in <> folgen.",

  colon_stands_where_none_belongs_write:
    "Die Adresse enthält einen Doppelpunkt an der falschen Stelle. Schreiben Sie „Name <ada@example.org>“. Ein Name mit Doppelpunkt muss in Anführungszeichen stehen.",
  part_before_contains_character_not_allowed:
    "Der Teil vor dem @ enthält ein Zeichen, das ohne Anführungszeichen nicht erlaubt ist.",
  part_before_contains_invisible_character: "Der Teil vor dem @ enthält ein unsichtbares Zeichen.",
  part_before_starts_ends_dot_two:
    "Der Teil vor dem @ darf nicht mit einem Punkt beginnen oder enden und keine zwei Punkte hintereinander enthalten.",
  part_before_longer_than_octets: "Der Teil vor dem @ ist länger als {max} Byte.",

  domain_contains_character_no_domain_name:
    "Die Domain enthält ein Zeichen, das in einem Domainnamen nicht erlaubt ist.",
  domain_ends_number: "Das letzte Label der Domain darf keine Zahl sein.",
  domain_not_valid_internationalised_name: "Die Domain ist kein gültiger internationalisierter Name.",
  domain_starts_ends_dot_two_row:
    "Die Domain darf nicht mit einem Punkt beginnen oder enden und keine zwei Punkte hintereinander enthalten.",
  label_domain_hyphens_third_fourth_place:
    "Ein Label der Domain hat Bindestriche als drittes und viertes Zeichen.",
  label_domain_not_valid_internationalised_one:
    "Ein Label der Domain ist kein gültiges internationalisiertes Label.",
  label_domain_starts_ends_hyphen: "Ein Label der Domain beginnt oder endet mit einem Bindestrich.",
  addresses_ip_address_not_accepted_give:
    "Eine Adresse mit einer IP-Adresse ist nicht erlaubt. Geben Sie einen Domainnamen an.",
  domain_no_dot_give_fully_qualified: "Die Domain hat keinen Punkt. Geben Sie einen vollständigen Namen an.",
  domain_longer_than_characters: "Die Domain ist länger als {max} Zeichen.",
  label_domain_exceeds_characters: "Ein Label der Domain ist länger als {max} Zeichen.",

  name_unquoted: 'Ein Name mit {characters} muss in Anführungszeichen stehen: "{quoted}" <...>.',
  write_name_plain_utf_8_not: "Der Name muss einfaches UTF-8 sein, kein Encoded-Word.",
  name_longer_than_octets: "Der Name ist länger als {max} Byte.",
} as const satisfies Partial<Record<FaultReason, string>>;
