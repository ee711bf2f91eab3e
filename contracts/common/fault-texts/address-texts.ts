import { fromFieldTexts } from "./from-field-texts.ts";

/** Texts of faults of addresses, by code and reason. */
export const addressTexts = {
  "address.empty": {
    address_empty: "The address is empty.",
    no_address: "There is no address.",
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
      "The address contains characters that change how it is displayed, or a broken one.",
  },
  "address.whitespace": {
    address_starts_ends_space: "The address starts or ends with a space.",
  },
  "address.several": {
    give_exactly_one_address_name_comma: "Give exactly one address; a name with a comma must be quoted.",
  },
  "address.group": {
    groups_not_accepted_give_exactly_one: "Groups are not accepted; give exactly one address.",
  },
  "address.link": {
    text_link_leave_mailto_out_give: "The text is a link: leave `mailto:` out and give the address alone.",
  },
  "address.comment": {
    comments_parentheses_not_accepted: "Comments in parentheses are not accepted.",
    comments_parentheses_not_accepted_address: "Comments in parentheses are not accepted in an address.",
  },
  "address.unbalanced": {
    angle_bracket_stands_where_none_belongs: "An angle bracket stands where none belongs.",
    angle_bracket_unopened: 'The address has a ">" without its "<".',
    closing_quote_not_followed_address: 'The closing quote is not followed by "@" or by an address in "<>".',
    quote_not_closed: "A quote is not closed.",
    quoted_name_not_followed_address: 'The quoted name is not followed by an address in "<>".',
  },
  "address.missing_at": {
    no_at: 'The address has no "@".',
  },
  "address.missing_local_part": {
    nothing_before_at: 'There is nothing before the "@".',
  },
  "address.missing_domain": {
    nothing_after_at: 'There is nothing after the "@".',
  },
  "address.local_part_invalid": {
    colon_stands_where_none_belongs_write:
      'A colon stands where none belongs: write `Name <ada@example.org>`, the name in quotes if it has a ":".',
    ...fromFieldTexts,
    part_before_contains_character_not_allowed:
      'The part before the "@" contains a character that is not allowed there unquoted.',
    part_before_contains_invisible_character: 'The part before the "@" contains an invisible character.',
    part_before_starts_ends_dot_two:
      'The part before the "@" starts or ends with a dot, or has two in a row.',
  },
  "address.local_part_too_long": {
    part_before_longer_than_octets: 'The part before the "@" is longer than {max} octets.',
  },
  "address.domain_invalid": {
    domain_contains_character_no_domain_name: "The domain contains a character that no domain name can have.",
    domain_ends_number: "The domain ends in a number.",
    domain_not_valid_internationalised_name: "The domain is not a valid internationalised name.",
    domain_starts_ends_dot_two_row: "The domain starts or ends with a dot, or has two in a row.",
    label_domain_hyphens_third_fourth_place: "A label of the domain has hyphens in third and fourth place.",
    label_domain_not_valid_internationalised_one:
      "A label of the domain is not a valid internationalised one.",
    label_domain_starts_ends_hyphen: "A label of the domain starts or ends with a hyphen.",
  },
  "address.domain_literal": {
    addresses_ip_address_not_accepted_give:
      "Addresses at an IP address are not accepted; give a domain name.",
  },
  "address.domain_single_label": {
    domain_no_dot_give_fully_qualified: "The domain has no dot; give a fully qualified name.",
  },
  "address.domain_too_long": {
    domain_longer_than_characters: "The domain is longer than {max} characters.",
    label_domain_exceeds_characters: "A label of the domain exceeds {max} characters.",
  },
  "address.display_name_invalid": {
    ...fromFieldTexts,
    name_unquoted: 'A name that contains {characters} must be quoted: "{quoted}" <...>.',
    write_name_plain_utf_8_not: "Write the name in plain UTF-8, not as an encoded word.",
  },
  "address.display_name_too_long": {
    name_longer_than_octets: "The name is longer than {max} octets.",
  },
} as const;
