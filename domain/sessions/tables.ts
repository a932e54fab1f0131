import * as Table from "../ports/table.ts"
import { Users } from "../users/tables.ts"
import { StoredSession } from "./session.ts"

export const Sessions = Table.make("session", StoredSession, {
  key: "id",
  unique: ["token_hash"],
  shardKey: ["token_hash"],
  indexed: [["user_id", "created_at"]],
  references: { user_id: Users },
  expires: "expires_at",
  added: { proved_at: ({ authenticated_at }) => authenticated_at, multi_factor: false },
  data: {
    personal: [
      "id",
      "expires_at",
      "created_at",
      "updated_at",
      "ip_address",
      "user_agent",
      "authenticated_at",
      "proved_at",
      "multi_factor",
      "methods",
    ],
    secret: ["token_hash"],
    other: ["user_id"],
  },
})
