import { Effect, Option } from "effect"
import type { Client } from "./client.ts"
import type { Settings } from "./settings.ts"

/** The client with this id; none if there is no such client. */
export const clientOf = ({ clients }: Settings, client_id: string | undefined): Effect.Effect<Option.Option<Client>> =>
  Effect.succeed(Option.fromUndefinedOr(clients.find((each) => each.client_id === client_id)))
