import { Effect } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import type { Where } from "../../../domain/ports/table.ts"
import { type PageRequest, page } from "../../service/paging.ts"
import { listed } from "./shown.ts"
import { ApiKeys, ApiKeyUses } from "./tables.ts"

/** A page of keys with their last uses, the earliest key first. */
export const pageOfKeys = Effect.fnUntraced(function* pageOfKeys(where: Where<typeof ApiKeys>, request: PageRequest) {
  const { rows, rest } = yield* page(ApiKeys, where, request)
  const ids = rows.map(({ id }) => id)
  const uses = yield* (yield* Store).listForEach(ApiKeyUses, "key_id", ids, { limit: 1 })
  return { api_keys: rows.map((key, index) => listed(key, uses[index]?.[0])), ...rest }
})
