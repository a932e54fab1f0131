// A sealed text is `!id!value`, where `id` identifies the secret. Cookies need not escape `!`. Earlier versions wrote the bare value.

/** The parts of a sealed text. The id is null in texts of earlier versions. */
export const parsed = (sealed: string): { readonly id: string | null; readonly value: string } => {
  const [, id, value] = /^!([\w-]{8})!(.*)$/s.exec(sealed) ?? []
  return id === undefined || value === undefined ? { id: null, value: sealed } : { id, value }
}

export const written = (id: string, value: string): string => `!${id}!${value}`

/** Sorts after all texts with an id, and before all texts without one. */
export const endOfIds = '"'

/** Sorts directly after all texts with this id: `"` follows `!` in ASCII. */
export const endOf = (id: string): string => `!${id}"`
