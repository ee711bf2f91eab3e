/** Texts of faults of a From field, shared by the codes of its address, of its name and of the message. */
export const fromFieldTexts = {
  from_address_as: "{name} is to have the address as {address}.",
  from_address_invalid: "{name} has no valid address: {detail}.",
  from_bidi_name: "{name} has a name with characters that change how it is displayed.",
  from_charset: "{name} has a name in a character set that is not known here.",
  from_control_character: "{name} has a control character.",
  from_empty_line: "{name} has a line of white space alone.",
  from_encoded_address: "{name} has an encoded address, which readers take differently.",
  from_folded_name: "{name} has a quoted name with specials that is folded within its quotes.",
  from_name_like_address:
    "{name} has a name that looks like another address; in plain ASCII and in quotes it may stand.",
  from_no_address: "{name} has no address.",
  from_not_utf8: "{name} has an address that is not valid UTF-8.",
  from_one_address:
    "{name} is to have one address, alone or in angle brackets behind a name, and plain comments behind them.",
  from_quoted_address: "{name} has an address with quotes, which readers take differently.",
  from_several:
    "{name} has several addresses, a group, a route, or a name with a comma, colon or semicolon that is not quoted.",
  from_several_or_at: '{name} has several addresses, or a name with an "@" that is not quoted.',
  from_too_long: "{name} has more than {max} characters.",
} as const;
