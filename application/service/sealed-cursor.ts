import { Effect, Option, Schema } from "effect"
import { invalidMember } from "../../domain/errors.ts"
import type { ModuleKeys } from "../../domain/tokens/module-keys.ts"

/** The cursors of lists with filters. A cursor names the list that it belongs to, and is sealed. */
export const sealedCursor = <A>(place: Schema.Codec<A, any>, purpose: string) => {
  const Cursor = Schema.fromJsonString(Schema.Struct({ list: Schema.String, place }))
  const decode = Schema.decodeOption(Cursor)
  const encode = Schema.encodeSync(Cursor)
  return {
    /** The place in a cursor of the same list. */
    read: Effect.fnUntraced(function* readCursor(keys: ModuleKeys, cursor: string, list: string) {
      const read = Option.flatMap(yield* keys.open(purpose, cursor), (text) => decode(text))
      if (Option.isNone(read) || read.value.list !== list)
        return yield* invalidMember("cursor", "Expected the next_cursor of the same list")
      return read.value.place
    }),
    write: (keys: ModuleKeys, list: string, place: A) => keys.seal(purpose, encode({ list, place })),
  }
}
