import { fromFieldTexts } from "./from-field-texts.ts";

/** Texts of address faults, by code and reason. */
export const addressTexts = {
  "address.empty": {
    address_empty: "The address is empty.",
    no_address: "The address is missing.",
  },
  "address.too_long": {
    address_longer_than_characters: "The address is longer than {max} characters.",
    address_longer_than_octets: "The address is longer than {max} octets.",
  },
  "address.control_character": {
    address_contains_line_break_control_character:
      "The address contains a line break or a control character.",
  },
  "address.forbidden_character": {
    address_contains_characters_change_how_displayed:
      "The address contains characters that change how it is displayed, or an invalid character.",
  },
  "address.whitespace": {
    address_starts_ends_space: "The address must not start or end with a space.",
  },
  "address.several": {
    give_exactly_one_address_name_comma: "Provide exactly one address. Quote a name that contains a comma.",
  },
  "address.group": {
    groups_not_accepted_give_exactly_one: "Groups are not allowed. Provide exactly one address.",
  },
  "address.link": {
    text_link_leave_mailto_out_give: "The value is a link. Provide only the address, without `mailto:`.",
  },
  "address.comment": {
    comments_parentheses_not_accepted: "Comments in parentheses are not allowed.",
    comments_parentheses_not_accepted_address: "Comments in parentheses are not allowed in an address.",
  },
  "address.unbalanced": {
    angle_bracket_stands_where_none_belongs: "The address contains a misplaced angle bracket.",
    angle_bracket_unopened: 'The address has a ">" without a "<".',
    closing_quote_not_followed_address: 'The closing quote must be followed by "@" or by an address in "<>".',
    quote_not_closed: "A quote is not closed.",
    quoted_name_not_followed_address: 'The quoted name must be followed by an address in "<>".',
  },
  "address.missing_at": {
    no_at: 'The address has no "@".',
  },
  "address.missing_local_part": {
    nothing_before_at: 'The part before the "@" is missing.',
  },
  "address.missing_domain": {
    nothing_after_at: 'The domain after the "@" is missing.',
  },
  "address.local_part_invalid": {
    colon_stands_where_none_belongs_write:
      'The address contains a misplaced colon. Write `Name <ada@example.org>`, and quote a name that contains a ":".',
    ...fromFieldTexts,
    part_before_contains_character_not_allowed:
      'The part before the "@" contains a character that is not allowed without quotes.',
    part_before_contains_invisible_character: 'The part before the "@" contains an invisible character.',
    part_before_starts_ends_dot_two:
      'The part before the "@" must not start or end with a dot or contain two dots in a row.',
  },
  "address.local_part_too_long": {
    part_before_longer_than_octets: 'The part before the "@" is longer than {max} octets.',
  },
  "address.domain_invalid": {
    domain_contains_character_no_domain_name:
      "The domain contains a character that is not allowed in a domain name.",
    domain_ends_number: "The last label of the domain must not be a number.",
    domain_not_valid_internationalised_name: "The domain is not a valid internationalized name.",
    domain_starts_ends_dot_two_row:
      "The domain must not start or end with a dot or contain two dots in a row.",
    label_domain_hyphens_third_fourth_place:
      "A label of the domain has hyphens as its third and fourth characters.",
    label_domain_not_valid_internationalised_one:
      "A label of the domain is not a valid internationalized label.",
    label_domain_starts_ends_hyphen: "A label of the domain starts or ends with a hyphen.",
  },
  "address.domain_literal": {
    addresses_ip_address_not_accepted_give:
      "An address at an IP address is not allowed. Provide a domain name.",
  },
  "address.domain_single_label": {
    domain_no_dot_give_fully_qualified: "The domain has no dot. Provide a fully qualified name.",
  },
  "address.domain_too_long": {
    domain_longer_than_characters: "The domain is longer than {max} characters.",
    label_domain_exceeds_characters: "A label of the domain exceeds {max} characters.",
  },
  "address.display_name_invalid": {
    ...fromFieldTexts,
    name_unquoted: 'A name that contains {characters} must be quoted: "{quoted}" <...>.',
    write_name_plain_utf_8_not: "The name must be plain UTF-8, not an encoded word.",
  },
  "address.display_name_too_long": {
    name_longer_than_octets: "The name is longer than {max} octets.",
  },
} as const;
