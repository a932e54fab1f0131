import { createElement } from "react"
import type { Client } from "../../client/index.ts"
import type {} from "../../client/react.ts"

/** A component of an application, for its server and its page. */
export const header = (client: Client) =>
  createElement("sallyport-user-button", { client, accounts: true }, createElement("a", { href: "/sign-in" }, "Sign in"))
