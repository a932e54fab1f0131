import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { lines } from "../../../adapters/cli/welcome.ts"
import { load } from "../../../adapters/config/load.ts"

const bannerOf = Effect.fnUntraced(function* (graphql: string) {
  const environment = { SALLYPORT_SECRET: "0123456789abcdef0123456789abcdef", SALLYPORT_PUBLIC_URL: "http://localhost:4000" }
  const configuration = yield* load({ directory: "/", environment }, [])
  return lines({ ...configuration, graphql: { ...configuration.graphql, enabled: graphql !== "off" } }, "http://127.0.0.1:4000").slice(1)
})

it.effect("lists the addresses, the store, mail and SMS", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* bannerOf("on"), [
      "Sallyport",
      "  base URL    http://localhost:4000/api/auth",
      "  GraphQL     http://localhost:4000/graphql",
      "  listens on  127.0.0.1:4000",
      "  store       embedded PostgreSQL, in .sallyport/data",
      "  mail        console: mail is printed here",
      "  sms         console: text messages are printed here",
      "",
      "Ctrl+C stops it.",
      "",
    ])
    assert.notInclude((yield* bannerOf("off")).join(), "GraphQL")
  }),
)
