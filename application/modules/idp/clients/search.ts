import { Effect } from "effect"
import { maxHits, type SearchedKind } from "../../../../domain/administration/search.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { searchable } from "../../../../domain/values/text.ts"
import type { Settings } from "../settings.ts"
import { StoredClients } from "./stored-clients.ts"

/** The clients whose id or name begins with a text, those of the configuration first, for `GET /admin/search`. */
export const clientsByText = ({ clients }: Settings): SearchedKind<Store> => ({
  kind: "clients",
  permission: "clients:read",
  find: Effect.fnUntraced(function* clientsByText(typed) {
    const { list } = yield* Store
    const text = searchable(typed.trim())
    const isFound = ({ client_id, client_name }: Named) => [client_id, client_name ?? ""].some((name) => searchable(name).startsWith(text))
    const beginning = (field: "client_id" | "search_name") => list(StoredClients, {}, { limit: maxHits, prefix: { field, text } })
    const rows = yield* Effect.forEach(["client_id", "search_name"] as const, beginning, { concurrency: 2 })
    const stored = rows.flat().map(({ client_id, metadata: { client_name } }) => ({ client_id, client_name }))
    const found = new Map([...clients, ...stored].filter(isFound).map((each) => [each.client_id, each]))
    return [...found.values()].slice(0, maxHits).map(({ client_id, client_name }) => ({ id: client_id, name: client_name, detail: null }))
  }),
})

interface Named {
  readonly client_id: string
  readonly client_name: string | null
}
