/** Texts of From field faults, shared by the codes for its address, its name and the message. */
export const fromFieldTexts = {
  from_address_as: "{name} must have its address written as {address}.",
  from_address_invalid: "{name} has no valid address: {detail}.",
  from_bidi_name: "{name} has a name with characters that change how it is displayed.",
  from_charset: "{name} has a name in an unknown character set.",
  from_control_character: "{name} contains a control character.",
  from_empty_line: "{name} has a line that contains only white space.",
  from_encoded_address: "{name} has an encoded address, which readers interpret differently.",
  from_folded_name: "{name} has a quoted name with special characters that is folded within its quotes.",
  from_name_like_address:
    "{name} has a name that looks like another address. Such a name must be in plain ASCII and in quotes.",
  from_no_address: "{name} has no address.",
  from_not_utf8: "{name} has an address that is not valid UTF-8.",
  from_one_address:
    "{name} must have one address, alone or in angle brackets after a name, with only plain comments after them.",
  from_quoted_address: "{name} has an address with quotes, which readers interpret differently.",
  from_several:
    "{name} has several addresses, a group, a route, or a name with an unquoted comma, colon or semicolon.",
  from_several_or_at: '{name} has several addresses, or a name with an unquoted "@".',
  from_too_long: "{name} has more than {max} characters.",
} as const;
