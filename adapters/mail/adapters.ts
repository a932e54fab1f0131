import { ownMailer } from "../own/delivery.ts"
import { printed } from "./console.ts"
import { none } from "./none.ts"
import { smtp } from "./smtp-adapter.ts"

/** How mail can be sent. */
export const mailers = [smtp, printed, none, ownMailer]
