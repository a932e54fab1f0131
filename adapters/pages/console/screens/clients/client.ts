import { Effect } from "effect"
import { type Output, Visit } from "../../../page.ts"
import { askedId } from "../../screen.ts"

export type Client = Output<"adminClientsShow">["client"]

export const nameOf = ({ client_name, client_id }: Client) => client_name ?? client_id

/** The client of this page, by the id in its address. */
export const shownClient = Effect.gen(function* () {
  const { call } = yield* Visit
  return (yield* call("adminClientsShow", { client_id: yield* askedId })).client
})
