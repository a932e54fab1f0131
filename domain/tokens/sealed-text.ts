// A sealed text is `!id!value`: the id says which secret sealed it, and cookies carry `!` unescaped. Earlier versions wrote the bare value.

/** The parts of a sealed text; the id is null where there is none. */
export const parsed = (sealed: string): { readonly id: string | null; readonly value: string } => {
  const [, id, value] = /^!([\w-]{8})!(.*)$/s.exec(sealed) ?? []
  return id === undefined || value === undefined ? { id: null, value: sealed } : { id, value }
}

export const written = (id: string, value: string): string => `!${id}!${value}`

/** Sorts behind every text with this id and before every other text behind those: `"` follows `!` in ASCII. */
export const endOf = (id: string): string => `!${id}"`
