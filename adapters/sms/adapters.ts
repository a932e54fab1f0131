import { ownSmsSender } from "../own/delivery.ts"
import { printed } from "./console.ts"
import { none } from "./none.ts"
import { twilio } from "./twilio.ts"
import { webhook } from "./webhook-adapter.ts"

/** How short messages can be sent. */
export const smsSenders = [twilio, webhook, printed, none, ownSmsSender]
